// special-field-offset R1: a timer helper gets the number in the value instead of the timer.
#include "vmlinux.h"

struct work {
	__u64 runs;
	struct bpf_timer timer;
};

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, struct work);
} works SEC(".maps");

SEC("tc")
int timer_member(struct __sk_buff *skb)
{
	__u32 zero = 0;
	struct work *work = bpf_map_lookup_elem(&works, &zero); /* FROM */

	if (!work)
		return 0;
#ifdef FIX
	bpf_timer_cancel(&work->timer);
#else
	bpf_timer_cancel((void *)&work->runs); /* FAIL FROM */
#endif
	return 0;
}

char LICENSE[] SEC("license") = "GPL";
