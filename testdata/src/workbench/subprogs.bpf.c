#include "vmlinux.h"
#include <bpf/bpf_helpers.h>

#ifndef __noinline
#error "no __noinline"
#endif
#define DEFINE_OP(op, sign) \
	__noinline long do_##op(long a __arg_nonnull, long b) { return a sign b; }

DEFINE_OP(add, +)
DEFINE_OP(sub, -)

static __always_inline int twice(int a)
{
	return 2 * a;
}

static __noinline int many(const int *v, __u32 n)
{
	int sum = 0;

	for (__u32 i = 0; i < n; i++)
		sum += twice(v[i]);
	return sum;
}

int values[16];

__noinline int total(struct xdp_md *ctx)
{
	return many(values, 16) + (int)do_add(ctx->data, ctx->data_end);
}

SEC("xdp")
int entry(struct xdp_md *ctx)
{
	return total(ctx) > 3 ? XDP_PASS : XDP_DROP;
}

char _license[] SEC("license") = "GPL";
