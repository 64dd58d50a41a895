// invalid-mem-access R0: the check for NULL stands after the first access.
#include "vmlinux.h"

struct session {
	__u64 started, bytes;
	__u32 state;
};

struct {
	__uint(type, BPF_MAP_TYPE_LRU_HASH);
	__uint(max_entries, 1024);
	__type(key, __u64);
	__type(value, struct session);
} sessions SEC(".maps");

SEC("tp_btf/sched_switch")
int BPF_PROG(null_lookup_member, bool preempt, struct task_struct *prev, struct task_struct *next)
{
	__u64 id = bpf_get_current_pid_tgid();
	struct session *session;

	session = bpf_map_lookup_elem(&sessions, &id); /* FROM */
#ifdef FIX
	if (!session)
		return 0;
#endif
	if (session->state == 3) /* FAIL */
		return 0;
	session->bytes += 1;
	return 0;
}

char LICENSE[] SEC("license") = "GPL";
