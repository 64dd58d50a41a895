// pointer-arith-null R1: an offset is added to a value before its check for NULL.
#include "vmlinux.h"

struct pair {
	__u64 first, second;
};

struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, 4);
	__type(key, __u32);
	__type(value, struct pair);
} pairs SEC(".maps");

SEC("tc")
int pointer_or_null_arithmetic(struct __sk_buff *skb)
{
	__u32 key = skb->mark;
	struct pair *pair = bpf_map_lookup_elem(&pairs, &key); /* FROM */
	__u64 *second;

#ifdef FIX
	if (!pair)
		return 0;
#endif
	second = &pair->second; /* FAIL */
	barrier_var(second);
	if (!second)
		return 0;
	return *second != 0;
}

char LICENSE[] SEC("license") = "GPL";
