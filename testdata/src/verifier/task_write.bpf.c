// btf-pointer-write R1: a member of a kernel structure is written.
#include "vmlinux.h"

SEC("tp_btf/sched_wakeup")
int BPF_PROG(task_write, struct task_struct *woken) /* FROM */
{
#ifdef FIX
	return woken->prio == 100;
#else
	woken->prio = 100; /* FAIL FROM */
	return 0;
#endif
}

char LICENSE[] SEC("license") = "GPL";
