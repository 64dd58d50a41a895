// helper-arg-null R1: the task that a kernel function returned is released without a check for NULL.
#include "vmlinux.h"

const volatile int target_pid;

SEC("tp_btf/sched_wakeup")
int BPF_PROG(null_kfunc, struct task_struct *woken)
{
	struct task_struct *task = bpf_task_from_pid(target_pid); /* FROM */
#ifdef FIX
	if (!task)
		return 0;
#endif
	bpf_task_release(task); /* FAIL */
	return 0;
}

char LICENSE[] SEC("license") = "GPL";
