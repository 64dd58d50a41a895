// map-value-bounds R0: a value of 4 bytes is read as 8.
#include "vmlinux.h"

struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, 16);
	__type(key, __u32);
	__type(value, __u32);
} counts SEC(".maps");

SEC("xdp")
int map_value_size(struct xdp_md *ctx)
{
	__u32 key = 1;
#ifdef FIX
	__u32 *count;
#else
	__u64 *count;
#endif

	count = bpf_map_lookup_elem(&counts, &key); /* FROM */
	if (!count)
		return XDP_PASS;
	return *count > 100 ? XDP_DROP : XDP_PASS; /* FAIL */
}

char LICENSE[] SEC("license") = "GPL";
