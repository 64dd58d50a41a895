// map-write-forbidden R0: a map that programs may only read is written.
#include "vmlinux.h"

struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, 4);
	__uint(map_flags, BPF_F_RDONLY_PROG);
	__type(key, __u32);
	__type(value, __u64);
} settings SEC(".maps");

SEC("xdp")
int map_flag_read_only(struct xdp_md *ctx)
{
	__u32 key = 1;
	__u64 *value = bpf_map_lookup_elem(&settings, &key); /* FROM */

	if (!value)
		return XDP_PASS;
#ifdef FIX
	return *value ? XDP_PASS : XDP_DROP;
#else
	*value = 1; /* FAIL FROM */
	return XDP_PASS;
#endif
}

char LICENSE[] SEC("license") = "GPL";
