// helper-arg-null R1: a task that could not be acquired is released after other calls.
#include "vmlinux.h"

SEC("tp_btf/task_newtask")
int null_released(__u64 *ctx)
{
	struct task_struct *task = bpf_task_acquire((void *)ctx[0]); /* FROM */

	/* Compilers write NULL into the call if they see the comparison. */
	asm volatile goto("if %0 != 0 goto %l1" : : "r"(task) : : held);
	bpf_ktime_get_ns(); /* FAIL */
#ifndef FIX
	bpf_task_release(task);
#endif
	return 0;
held:
	bpf_task_release(task);
	return 0;
}

char LICENSE[] SEC("license") = "GPL";
