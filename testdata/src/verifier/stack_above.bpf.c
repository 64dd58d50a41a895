// stack-bounds R1: a helper gets the frame pointer itself, above which there is no stack.
#include "vmlinux.h"

SEC("tp_btf/task_newtask")
int stack_above(__u64 *ctx)
{
#ifdef FIX
	char name[16] = {};

	bpf_get_current_comm(name, sizeof(name));
#else
	asm volatile("r1 = r10;" /* FAIL FROM */
		     "r2 = 16;"
		     "call 16;"
		     : : : "r0", "r1", "r2", "r3", "r4", "r5", "memory");
#endif
	return 0;
}

char LICENSE[] SEC("license") = "GPL";
