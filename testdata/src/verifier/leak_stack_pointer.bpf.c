// leak-by-return R0: a program without CAP_PERFMON returns a pointer to its stack.
// OPTIONS caps=bpf
#include "vmlinux.h"

SEC("socket")
__naked int leak_stack_pointer(void)
{
#ifdef FIX
	asm volatile("r0 = 0");
#else
	asm volatile("r0 = r10"); /* FROM */
#endif
	asm volatile("exit"); /* FAIL */
}

char LICENSE[] SEC("license") = "GPL";
