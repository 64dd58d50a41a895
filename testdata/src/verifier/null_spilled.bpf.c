// invalid-mem-access R6: a pointer that may be NULL is kept over a helper call and used after it.
#include "vmlinux.h"

struct stats {
	__u64 last_seen, hits;
};

struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_HASH);
	__uint(max_entries, 64);
	__type(key, __u32);
	__type(value, struct stats);
} stats SEC(".maps");

SEC("tc")
int null_spilled(struct __sk_buff *skb)
{
	__u32 mark = skb->mark;
	struct stats *s = bpf_map_lookup_elem(&stats, &mark); /* FROM */
	__u64 now;
#ifdef FIX
	if (!s)
		return 0;
#endif
	now = bpf_ktime_get_ns();
	s->last_seen = now; /* FAIL */
	return 0;
}

char LICENSE[] SEC("license") = "GPL";
