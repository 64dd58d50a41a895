// global-func-return -: a global function returns a pointer.
#include "vmlinux.h"

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, 4);
	__type(key, __u32);
	__type(value, __u64);
} counts SEC(".maps");

#ifdef FIX
static
#endif
__noinline __u64 *count_of(__u32 key)
{
	return bpf_map_lookup_elem(&counts, &key);
}

SEC("xdp")
int global_returns_pointer(struct xdp_md *xdp)
{
	__u64 *count = count_of(1); /* FAIL */

	return count ? XDP_PASS : XDP_DROP;
}

char LICENSE[] SEC("license") = "GPL";
