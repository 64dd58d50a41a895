// invalid-func -: a member that no kernel has is read without bpf_core_field_exists.
#include "vmlinux.h"

struct task_struct___future {
	int pid_of_tomorrow;
} __attribute__((preserve_access_index));

SEC("tp_btf/sched_wakeup")
int BPF_PROG(poisoned_core, struct task_struct *woken)
{
	struct task_struct___future *task = (void *)woken;

#ifdef FIX
	if (!bpf_core_field_exists(task->pid_of_tomorrow))
		return 0;
#endif
	return task->pid_of_tomorrow == 1; /* FAIL FROM */
}

char LICENSE[] SEC("license") = "GPL";
