// offset-above-max R0: the check allows an index of one past the array.
#include "vmlinux.h"

#define MAX_SLOTS 16

struct counters {
	__u32 slots[MAX_SLOTS];
};

struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, 16);
	__type(key, __u32);
	__type(value, struct counters);
} counters SEC(".maps");

SEC("xdp")
int map_value_off_by_one(struct xdp_md *ctx)
{
	__u32 key = 0;
	struct counters *c = bpf_map_lookup_elem(&counters, &key);
	__u32 queue = ctx->rx_queue_index;

	if (!c)
		return XDP_PASS;
#ifdef FIX
	if (queue >= MAX_SLOTS)
#else
	if (queue > MAX_SLOTS) /* FROM */
#endif
		return XDP_PASS;
	c->slots[queue] = 1; /* FAIL */
	return XDP_PASS;
}

char LICENSE[] SEC("license") = "GPL";
