// rcu-pointer R1: a pointer read in an RCU read section is given to a kernel function after it.
#include "vmlinux.h"

SEC("tp_btf/sched_wakeup")
int BPF_PROG(rcu_pointer_after, struct task_struct *woken)
{
	struct task_struct *parent, *task;

	bpf_rcu_read_lock();
	parent = woken->real_parent; /* FROM */
#ifdef FIX
	task = bpf_task_acquire(parent);
	bpf_rcu_read_unlock();
#else
	bpf_rcu_read_unlock(); /* FROM */
	task = bpf_task_acquire(parent); /* FAIL */
#endif
	if (task)
		bpf_task_release(task);
	return 0;
}

char LICENSE[] SEC("license") = "GPL";
