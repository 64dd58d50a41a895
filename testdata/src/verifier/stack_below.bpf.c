// stack-bounds R10: a constant index lies below the 512 bytes of the stack.
#include "vmlinux.h"

SEC("tc")
int stack_below(struct __sk_buff *skb)
{
	__u32 mark = skb->mark;

#ifdef FIX
	asm volatile("*(u32 *)(r10 - 512) = %[mark]" ::[mark] "r"(mark) : "memory");
#else
	asm volatile("*(u32 *)(r10 - 516) = %[mark]" ::[mark] "r"(mark) : "memory"); /* FAIL FROM */
#endif
	return 0;
}

char LICENSE[] SEC("license") = "GPL";
