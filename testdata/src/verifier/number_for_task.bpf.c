// kfunc-mem-len R1: a number is passed for a pointer to a task.
#include "vmlinux.h"

SEC("tp_btf/task_newtask")
int BPF_PROG(number_for_task, struct task_struct *task, __u64 clone_flags)
{
	struct task_struct *owned;

#ifdef FIX
	owned = bpf_task_acquire(task);
#else
	owned = bpf_task_acquire((void *)(long)task->pid); /* FAIL FROM */
#endif
	if (owned)
		bpf_task_release(owned);
	return 0;
}

char LICENSE[] SEC("license") = "GPL";
