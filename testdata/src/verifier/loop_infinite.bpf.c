// infinite-loop -: a loop waits for a word that nothing changes.
#include "vmlinux.h"

SEC("tc")
__naked int loop_infinite(void)
{
	asm volatile("r2 = *(u32 *)(r1 + 8); 1:");
	asm volatile("if r2 == 7 goto 2f"); /* FAIL FROM */
#ifdef FIX
	asm volatile("r2 = 7");
#endif
	asm volatile("goto 1b; 2:"); /* FROM */
	asm volatile("r0 = 0");
	asm volatile("exit");
}

char LICENSE[] SEC("license") = "GPL";
