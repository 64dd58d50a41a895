// kptr-argument R1: a pointer is exchanged with a member that is no kptr.
#include "vmlinux.h"

struct slot {
	struct task_struct __kptr *task;
	__u64 count;
};

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, struct slot);
} slots SEC(".maps");

SEC("tp_btf/task_newtask")
int BPF_PROG(kptr_offset, struct task_struct *task, __u64 clone_flags)
{
	__u32 key = 0;
	struct slot *slot = bpf_map_lookup_elem(&slots, &key);
	struct task_struct *owned, *old;

	if (!slot)
		return 0;
	owned = bpf_task_acquire(task);
	if (!owned)
		return 0;
#ifdef FIX
	old = bpf_kptr_xchg(&slot->task, owned);
#else
	old = bpf_kptr_xchg(&slot->count, owned); /* FAIL FROM */
#endif
	if (old)
		bpf_task_release(old);
	return 0;
}

char LICENSE[] SEC("license") = "GPL";
