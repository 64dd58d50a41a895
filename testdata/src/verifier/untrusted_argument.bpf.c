// rcu-pointer R1: a kernel function gets a pointer that was read out of a structure.
#include "vmlinux.h"

SEC("tp_btf/sched_wakeup")
int BPF_PROG(untrusted_argument, struct task_struct *woken)
{
	struct task_struct *task;

#ifdef FIX
	task = bpf_task_acquire(woken);
#else
	struct task_struct *leader = woken->last_wakee; /* FROM */

	task = bpf_task_acquire(leader); /* FAIL */
#endif
	if (task)
		bpf_task_release(task);
	return 0;
}

char LICENSE[] SEC("license") = "GPL";
