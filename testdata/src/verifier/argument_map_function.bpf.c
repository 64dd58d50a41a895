// map-func-compat R2: a helper of program arrays gets a hash map.
#include "vmlinux.h"

struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, 4);
	__type(key, __u32);
	__type(value, __u32);
} table SEC(".maps");

SEC("xdp")
int argument_map_function(struct xdp_md *ctx)
{
#ifdef FIX
	__u32 key = 1;

	bpf_map_lookup_elem(&table, &key);
#else
	bpf_tail_call(ctx, &table, 1); /* FAIL FROM */
#endif
	return XDP_PASS;
}

char LICENSE[] SEC("license") = "GPL";
