// stack-bounds R1: a helper writes 32 bytes into a buffer of 16 at the top of the stack.
#include "vmlinux.h"

SEC("raw_tp/sched_switch")
int stack_helper_size(void *ctx)
{
	char comm[16]; /* FROM? */

#ifdef FIX
	bpf_get_current_comm(comm, sizeof(comm));
#else
	bpf_get_current_comm(comm, 32); /* FAIL FROM */
#endif
	return comm[0] == 's';
}

char LICENSE[] SEC("license") = "GPL";
