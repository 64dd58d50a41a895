// invalid-mem-access R6: the storage of a task is written without a check for NULL.
#include "vmlinux.h"

struct {
	__uint(type, BPF_MAP_TYPE_TASK_STORAGE);
	__uint(map_flags, BPF_F_NO_PREALLOC);
	__type(key, int);
	__type(value, __u64);
} started SEC(".maps");

SEC("tp_btf/sched_wakeup")
int BPF_PROG(null_storage, struct task_struct *task)
{
	__u64 *at = bpf_task_storage_get(&started, task, NULL, BPF_LOCAL_STORAGE_GET_F_CREATE); /* FROM */
#ifdef FIX
	if (!at)
		return 0;
#endif
	*at = bpf_ktime_get_ns(); /* FAIL */
	return 0;
}

char LICENSE[] SEC("license") = "GPL";
