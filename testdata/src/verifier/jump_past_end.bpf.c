// last-insn -: the last instruction is not an exit.
#include "vmlinux.h"

SEC("tc")
__naked int jump_past_end(void)
{
	asm volatile("r0 = 0");
	asm volatile("if r0 == 0 goto 1f");
	asm volatile("exit; 1:");
	asm volatile("r0 = 1");
#ifdef FIX
	asm volatile("exit");
#endif
}

char LICENSE[] SEC("license") = "GPL";
