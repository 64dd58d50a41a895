// div-by-zero R1: assembly divides by the constant zero.
#include "vmlinux.h"

SEC("tc")
int divide_by_zero(struct __sk_buff *skb)
{
	__u64 length = skb->len;

#ifdef FIX
	asm volatile("%[length] /= 2" : [length] "+r"(length));
#else
	asm volatile("%[length] /= 0" : [length] "+r"(length)); /* FAIL FROM */
#endif
	return length > 10;
}

char LICENSE[] SEC("license") = "GPL";
