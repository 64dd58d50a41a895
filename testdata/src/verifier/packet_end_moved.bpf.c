// pointer-arith-type R1: a number is added to the end of the packet.
#include "vmlinux.h"

SEC("tc")
int packet_end_moved(struct __sk_buff *skb)
{
	void *data = (void *)(long)skb->data;
	void *end = (void *)(long)skb->data_end; /* FROM */

#ifdef FIX
	data += 8;
#else
	asm volatile("%0 += -8" : "+r"(end)); /* FAIL */
#endif
	return data > end;
}

char LICENSE[] SEC("license") = "GPL";
