// corrupt-spill fp-8: a helper writes over a pointer that is saved on the stack.
// OPTIONS caps=bpf
#include "vmlinux.h"

SEC("socket")
__naked int spill_overwritten(void)
{
	asm volatile("*(u64 *)(r10 - 8) = r1;" /* FROM FAIL */
		     "r2 = 0;"
		     "r3 = r10;"
#ifdef FIX
		     "*(u64 *)(r10 - 16) = r2;"
		     "r3 += -16;"
#else
		     "r3 += -8;"
#endif
		     "r4 = 4;"
		     "call 26;"
		     "r0 = 0;"
		     "exit;");
}

char LICENSE[] SEC("license") = "GPL";
