// exit-under-lock -: one path returns with the spin lock held.
#include "vmlinux.h"

struct bucket {
	struct bpf_spin_lock lock;
	__u32 tokens;
};

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, struct bucket);
} buckets SEC(".maps");

SEC("tc")
int lock_held_at_exit(struct __sk_buff *skb)
{
	__u32 zero = 0;
	struct bucket *bucket = bpf_map_lookup_elem(&buckets, &zero);

	if (!bucket)
		return 0;
	bpf_spin_lock(&bucket->lock); /* FROM */
	if (bucket->tokens < skb->len) {
#ifdef FIX
		bpf_spin_unlock(&bucket->lock);
#endif
		return 2; /* FAIL */
	}
	bucket->tokens -= skb->len;
	bpf_spin_unlock(&bucket->lock);
	return 0;
} /* EXIT */

char LICENSE[] SEC("license") = "GPL";
