// unbounded-memory-access R0: an index out of the packet's mark has no upper bound.
#include "vmlinux.h"

struct histogram {
	__u64 slots[32];
};

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, struct histogram);
} histograms SEC(".maps");

SEC("tc")
int map_value_index(struct __sk_buff *skb)
{
	__u32 zero = 0, slot = skb->mark; /* FROM */
	struct histogram *histogram = bpf_map_lookup_elem(&histograms, &zero);

	if (!histogram)
		return 0;
#ifdef FIX
	if (slot >= 32)
		return 0;
#endif
	__sync_fetch_and_add(&histogram->slots[slot], 1); /* FAIL */
	return 0;
}

char LICENSE[] SEC("license") = "GPL";
