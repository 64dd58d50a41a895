// context-access R1: a socket filter reads a member that it may not see.
#include "vmlinux.h"

SEC("socket")
int ctx_member_of_type(struct __sk_buff *skb)
{
#ifdef FIX
	return skb->len;
#else
	return skb->data; /* FAIL FROM */
#endif
}

char LICENSE[] SEC("license") = "GPL";
