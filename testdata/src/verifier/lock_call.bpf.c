// call-under-lock -: the time is read while the spin lock is held.
#include "vmlinux.h"

struct bucket {
	struct bpf_spin_lock lock;
	__u64 last;
};

struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, 64);
	__type(key, __u32);
	__type(value, struct bucket);
} buckets SEC(".maps");

SEC("tc")
int lock_call(struct __sk_buff *skb)
{
	__u32 key = skb->ifindex;
	struct bucket *bucket = bpf_map_lookup_elem(&buckets, &key);

	if (!bucket)
		return 0;
#ifdef FIX
	__u64 now = bpf_ktime_get_ns();

	bpf_spin_lock(&bucket->lock);
	bucket->last = now;
#else
	bpf_spin_lock(&bucket->lock); /* FROM */
	bucket->last = bpf_ktime_get_ns(); /* FAIL */
#endif
	bpf_spin_unlock(&bucket->lock);
	return 0;
}

char LICENSE[] SEC("license") = "GPL";
