// unreleased-reference ref: the loop overwrites the only pointer to a task that it did not release.
#include "vmlinux.h"

const volatile int pids[2];

SEC("tp_btf/sched_wakeup")
int BPF_PROG(leak_overwritten, struct task_struct *woken) /* EXIT */
{
	struct task_struct *task;

	task = bpf_task_from_pid(pids[0]); /* FROM */
#ifdef FIX
	if (task)
		bpf_task_release(task);
#endif
	task = bpf_task_from_pid(pids[1]);
	if (task)
		bpf_task_release(task);
	return 0; /* FAIL */
}

char LICENSE[] SEC("license") = "GPL";
