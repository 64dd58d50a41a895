// unreachable-insn -: no path reaches an instruction.
#include "vmlinux.h"

SEC("tc")
__naked int unreachable_code(void)
{
	asm volatile("r0 = 0");
#ifndef FIX
	asm volatile("exit");
#endif
	asm volatile("r0 = 1"); /* FAIL */
	asm volatile("exit");
}

char LICENSE[] SEC("license") = "GPL";
