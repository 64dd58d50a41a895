// modified-pointer R1: an index that is not constant selects a word of the context.
#include "vmlinux.h"

SEC("tc")
int ctx_variable(struct __sk_buff *skb)
{
	__u32 index = skb->queue_mapping & 3; /* FROM */

#ifdef FIX
	switch (index) {
	case 0: return skb->cb[0];
	case 1: return skb->cb[1];
	}
	return 0;
#else
	return ((volatile __u32 *)skb->cb)[index]; /* FAIL FROM */
#endif
}

char LICENSE[] SEC("license") = "GPL";
