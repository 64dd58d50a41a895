// rdonly-cast R2: a pointer is cast to an int of the kernel.
#include "vmlinux.h"

void *bpf_rdonly_cast(const void *object, __u32 btf_id) __ksym;

SEC("tp_btf/sched_switch")
int BPF_PROG(cast_to_number, bool preempt, struct task_struct *prev)
{
#ifdef FIX
	struct task_struct *task = bpf_rdonly_cast(prev, bpf_core_type_id_kernel(struct task_struct));

	return task->pid;
#else
	int *pid = bpf_rdonly_cast(&prev->pid, bpf_core_type_id_kernel(int)); /* FAIL FROM */

	return *pid;
#endif
}

char LICENSE[] SEC("license") = "GPL";
