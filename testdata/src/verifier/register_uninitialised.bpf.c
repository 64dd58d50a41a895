// uninit-register R0: a branch returns without a result.
#include "vmlinux.h"

SEC("tc")
__naked int register_uninitialised(void)
{
	asm volatile("r2 = *(u32 *)(r1 + 0)");
	asm volatile("if r2 > 100 goto 1f"); /* FROM */
#ifdef FIX
	asm volatile("r0 = 0");
	asm volatile("exit; 1:");
	asm volatile("r0 = 2");
#else
	asm volatile("r0 = 0; 1:");
#endif
	asm volatile("exit"); /* FAIL */
}

char LICENSE[] SEC("license") = "GPL";
