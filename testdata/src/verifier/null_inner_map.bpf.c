// helper-arg-type R1: the inner map that a lookup gives is used without a check for NULL.
#include "vmlinux.h"

struct inner {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, 4);
	__type(key, __u32);
	__type(value, __u64);
};

struct {
	__uint(type, BPF_MAP_TYPE_HASH_OF_MAPS);
	__uint(max_entries, 4);
	__type(key, __u32);
	__array(values, struct inner);
} outer SEC(".maps");

SEC("xdp")
int null_inner_map(struct xdp_md *ctx)
{
	__u32 key = ctx->rx_queue_index, zero = 0;
	void *inner;
	__u64 *value;

	inner = bpf_map_lookup_elem(&outer, &key); /* FROM */
#ifdef FIX
	if (!inner)
		return XDP_PASS;
#endif
	value = bpf_map_lookup_elem(inner, &zero); /* FAIL */
	if (value)
		*value += 1;
	return XDP_PASS;
}

char LICENSE[] SEC("license") = "GPL";
