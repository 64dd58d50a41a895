// unreleased-reference ref: a new CPU mask is not released.
#include "vmlinux.h"

SEC("tp_btf/sched_wakeup")
int BPF_PROG(leak_cpumask, struct task_struct *woken) /* EXIT */
{
	struct bpf_cpumask *mask = bpf_cpumask_create(); /* FROM */

	if (!mask)
		return 0;
	bpf_cpumask_set_cpu(0, mask);
#ifdef FIX
	bpf_cpumask_release(mask);
#endif
	return 0; /* FAIL */
}

char LICENSE[] SEC("license") = "GPL";
