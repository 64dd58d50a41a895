// invalid-func -: a weak kernel function that this kernel lacks is called without bpf_ksym_exists.
#include "vmlinux.h"

void bpf_task_of_tomorrow(struct task_struct *task) __ksym __weak;

SEC("tp_btf/sched_wakeup")
int BPF_PROG(poisoned_kfunc, struct task_struct *woken)
{
#ifdef FIX
	if (!bpf_task_of_tomorrow)
		return 0;
#endif
	bpf_task_of_tomorrow(woken); /* FAIL FROM */
	return 0;
}

char LICENSE[] SEC("license") = "GPL";
