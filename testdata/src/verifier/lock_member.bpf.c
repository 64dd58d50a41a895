// special-field-access R0: the spin lock itself is written as a number.
#include "vmlinux.h"

struct bucket {
	struct bpf_spin_lock lock;
	__u32 tokens;
};

struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, 64);
	__type(key, __u32);
	__type(value, struct bucket);
} buckets SEC(".maps");

SEC("tc")
int lock_member(struct __sk_buff *skb)
{
	__u32 key = skb->ifindex;
	struct bucket *bucket = bpf_map_lookup_elem(&buckets, &key); /* FROM */

	if (!bucket)
		return 0;
#ifdef FIX
	bucket->tokens = 0;
#else
	__builtin_memset(bucket, 0, sizeof(*bucket)); /* FAIL FROM */
#endif
	return 0;
}

char LICENSE[] SEC("license") = "GPL";
