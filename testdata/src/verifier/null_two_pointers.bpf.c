// pointer-arith-type R6: the compiler joins the test of two pointers, both of which may be NULL.
#include "vmlinux.h"

struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, 8);
	__type(key, __u32);
	__type(value, __u64);
} sums SEC(".maps");

SEC("tc")
int null_two_pointers(struct __sk_buff *skb)
{
	__u32 first = skb->mark, second = skb->len;
	__u64 *one = bpf_map_lookup_elem(&sums, &first);
	__u64 *other = bpf_map_lookup_elem(&sums, &second); /* FROM */

#ifdef FIX
	if (!one)
		return 0;
	*one += 1;
	if (!other)
		return 0;
#else
	if (!one && !other) /* FAIL */
		return 0;
#endif
	return *other;
}

char LICENSE[] SEC("license") = "GPL";
