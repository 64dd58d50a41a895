// map-field R1: a timer is cancelled in a value that has none.
#include "vmlinux.h"

struct entry {
#ifdef FIX
	struct bpf_timer timer;
#endif
	__u64 count[2];
};

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, struct entry);
} entries SEC(".maps");

SEC("tc")
int timer_missing(struct __sk_buff *skb)
{
	__u32 key = 0;
	struct entry *entry = bpf_map_lookup_elem(&entries, &key);

	if (entry)
		bpf_timer_cancel((void *)entry); /* FAIL */
	return 0;
}

char LICENSE[] SEC("license") = "GPL";
