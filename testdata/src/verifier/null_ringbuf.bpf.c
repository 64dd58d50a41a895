// invalid-mem-access R6: a reserved record is written without a check for NULL.
#include "vmlinux.h"

struct event {
	__u32 pid;
	char comm[16];
};

struct {
	__uint(type, BPF_MAP_TYPE_RINGBUF);
	__uint(max_entries, 4096);
} events SEC(".maps");

SEC("raw_tp/sched_process_exec")
int null_ringbuf(void *ctx)
{
	struct event *e = bpf_ringbuf_reserve(&events, sizeof(*e), 0); /* FROM */
#ifdef FIX
	if (!e)
		return 0;
#endif
	e->pid = bpf_get_current_pid_tgid() >> 32; /* FAIL */
	bpf_get_current_comm(e->comm, sizeof(e->comm));
	bpf_ringbuf_submit(e, 0);
	return 0;
}

char LICENSE[] SEC("license") = "GPL";
