// helper-not-allowed -: a program calls the helper of number 0.
#include "vmlinux.h"

SEC("tc")
int helper_none(struct __sk_buff *skb)
{
#ifndef FIX
	asm volatile("call 0" : : : "r0", "r1", "r2", "r3", "r4", "r5"); /* FAIL FROM */
#endif
	return 0;
}

char LICENSE[] SEC("license") = "GPL";
