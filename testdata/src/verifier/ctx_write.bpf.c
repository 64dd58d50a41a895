// context-access R1: a member of the context that only the kernel sets is written.
#include "vmlinux.h"

SEC("tc")
int ctx_write(struct __sk_buff *skb)
{
#ifdef FIX
	skb->mark = 7;
#else
	skb->ifindex = 7; /* FAIL FROM */
#endif
	return 0;
}

char LICENSE[] SEC("license") = "GPL";
