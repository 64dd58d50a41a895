// exit-under-lock -: one path returns within an RCU read section.
#include "vmlinux.h"

int parent_pid;

SEC("tp_btf/sched_wakeup")
int BPF_PROG(rcu_leak, struct task_struct *woken) /* EXIT */
{
	struct task_struct *parent;

	bpf_rcu_read_lock(); /* FROM */
	parent = woken->real_parent;
	if (!parent) {
#ifdef FIX
		bpf_rcu_read_unlock();
#endif
		return 0; /* FAIL */
	}
	parent_pid = parent->pid;
	bpf_rcu_read_unlock();
	return 0;
}

char LICENSE[] SEC("license") = "GPL";
