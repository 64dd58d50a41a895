// invalid-mem-access R0: the value of a lookup is read without a check for NULL.
#include "vmlinux.h"

struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, 1024);
	__type(key, __u32);
	__type(value, __u64);
} packets SEC(".maps");

SEC("xdp")
int null_lookup(struct xdp_md *ctx)
{
	__u32 key = ctx->ingress_ifindex;
	__u64 *count = bpf_map_lookup_elem(&packets, &key); /* FROM */
#ifdef FIX
	if (!count)
		return XDP_PASS;
#endif
	*count += 1; /* FAIL */
	return XDP_PASS;
}

char LICENSE[] SEC("license") = "GPL";
