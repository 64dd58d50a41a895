// offset-above-max R2: the mask keeps 256 indices of an array of 200.
#include "vmlinux.h"

__u64 hits[200];

SEC("tc")
int map_value_mask(struct __sk_buff *skb)
{
#ifdef FIX
	__u32 index = skb->hash & 127;
#else
	__u32 index = skb->hash & 255; /* FROM */
#endif

	hits[index] += 1; /* FAIL */
	return 0;
}

char LICENSE[] SEC("license") = "GPL";
