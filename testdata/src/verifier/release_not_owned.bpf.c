// release-unacquired R1: a task that the program did not acquire is released.
#include "vmlinux.h"

SEC("tp_btf/sched_wakeup")
int BPF_PROG(release_not_owned, struct task_struct *woken) /* FROM */
{
#ifdef FIX
	struct task_struct *task = bpf_task_acquire(woken);

	if (task)
		bpf_task_release(task);
#else
	bpf_task_release(woken); /* FAIL */
#endif
	return 0;
}

char LICENSE[] SEC("license") = "GPL";
