// unreleased-reference ref: an acquired task is not released.
#include "vmlinux.h"

int last_prio;

SEC("tp_btf/sched_wakeup")
int BPF_PROG(leak_task, struct task_struct *woken) /* EXIT */
{
	struct task_struct *task = bpf_task_acquire(woken); /* FROM */

	if (!task)
		return 0;
	last_prio = task->prio;
#ifdef FIX
	bpf_task_release(task);
#endif
	return 0; /* FAIL */
}

char LICENSE[] SEC("license") = "GPL";
