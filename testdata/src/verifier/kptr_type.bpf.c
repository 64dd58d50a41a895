// kptr-store-type R2: a CPU mask is put into a member for tasks.
#include "vmlinux.h"

struct slot {
	struct task_struct __kptr *task;
};

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, struct slot);
} slots SEC(".maps");

SEC("tp_btf/sched_wakeup")
int BPF_PROG(kptr_type, struct task_struct *woken)
{
	struct slot *slot;
	__u32 zero = 0;
	void *old;

	slot = bpf_map_lookup_elem(&slots, &zero);
	if (!slot || woken->pid == 1)
		return 0;
#ifdef FIX
	struct task_struct *task = bpf_task_acquire(woken);

	if (!task)
		return 0;
	old = bpf_kptr_xchg(&slot->task, task);
	if (old)
		bpf_task_release(old);
#else
	struct bpf_cpumask *mask = bpf_cpumask_create(); /* FROM */

	if (!mask)
		return 0;
	old = bpf_kptr_xchg(&slot->task, mask); /* FAIL FROM */
	if (old)
		bpf_cpumask_release(old);
#endif
	return 0;
}

char LICENSE[] SEC("license") = "GPL";
