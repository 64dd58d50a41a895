// unreleased-reference ref: the pointer that an exchange gives back is not released.
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
int BPF_PROG(kptr_leak, struct task_struct *woken) /* EXIT */
{
	struct task_struct *old = NULL;
	struct slot *slot;
	__u32 zero = 0;

	slot = bpf_map_lookup_elem(&slots, &zero);
	if (!slot)
		return 0;
	if (woken->pid == 1)
		return 0;
	old = bpf_kptr_xchg(&slot->task, NULL); /* FROM */
#ifdef FIX
	if (old)
		bpf_task_release(old);
#endif
	return old ? woken->prio : 0; /* FAIL */
}

char LICENSE[] SEC("license") = "GPL";
