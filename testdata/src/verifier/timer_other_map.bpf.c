// map-uid R1: a timer is initialised with another map than its own.
#include "vmlinux.h"

struct entry {
	struct bpf_timer timer;
};

struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, 8);
	__type(key, __u32);
	__type(value, struct entry);
} entries SEC(".maps"), others SEC(".maps");

SEC("tc")
int timer_other_map(struct __sk_buff *skb)
{
	__u32 key = 0;
	struct entry *entry = bpf_map_lookup_elem(&entries, &key); /* FROM */

	if (!entry)
		return 0;
#ifdef FIX
	bpf_timer_init(&entry->timer, &entries, 1);
#else
	bpf_timer_init(&entry->timer, &others, 1); /* FAIL */
#endif
	return 0;
}

char LICENSE[] SEC("license") = "GPL";
