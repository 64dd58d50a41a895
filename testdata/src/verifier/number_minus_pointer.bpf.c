// pointer-math-unbounded R1: a pointer to the stack is subtracted from a number.
#include "vmlinux.h"

SEC("tc")
int number_minus_pointer(struct __sk_buff *skb)
{
	__u64 number = bpf_ktime_get_ns(); /* FROM */

#ifndef FIX
	asm volatile("r1 = %0;" /* FAIL */
		     "r1 -= r10;"
		     : : "r"(number) : "r1");
#endif
	return number & 1;
}

char LICENSE[] SEC("license") = "GPL";
