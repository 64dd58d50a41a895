// invalid-mem-access R1: an address out of a raw tracepoint is read directly.
#include "vmlinux.h"

SEC("raw_tp/sched_wakeup")
int scalar_pointer(struct bpf_raw_tracepoint_args *ctx)
{
	struct task_struct *task = (struct task_struct *)ctx->args[0]; /* FROM */
	int prio;

#ifdef FIX
	prio = BPF_CORE_READ(task, prio);
#else
	prio = task->prio; /* FAIL */
#endif
	return prio > 100;
}

char LICENSE[] SEC("license") = "GPL";
