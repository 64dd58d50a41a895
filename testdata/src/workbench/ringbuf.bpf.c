// SPDX-License-Identifier: (LGPL-2.1 OR BSD-2-Clause)
#include "vmlinux.h"
#include <bpf/bpf_helpers.h>
#include <bpf/bpf_tracing.h>
#include <bpf/bpf_core_read.h>

#define TASK_COMM_LEN 16
enum event_type { EVENT_EXEC = 1, EVENT_EXIT };

struct event {
	enum event_type type;
	pid_t pid;
	char comm[TASK_COMM_LEN];
	_Bool exited;
	unsigned int flags : 4, code : 12;
} __attribute__((packed));

struct {
	__uint(type, BPF_MAP_TYPE_RINGBUF);
	__uint(max_entries, 256 * 1024);
} rb SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, 8192);
	__uint(map_flags, BPF_F_NO_PREALLOC);
	__type(key, pid_t);
	__type(value, __u64);
} start SEC(".maps");

struct event *unused __attribute__((unused));

SEC("tp_btf/sched_process_exec")
int BPF_PROG(handle_exec, void *p, pid_t old)
{
	struct event *e = bpf_ringbuf_reserve(&rb, sizeof(*e), 0);

	if (!e)
		return 0;
	e->type = EVENT_EXEC;
	bpf_map_update_elem(&start, &e->pid, &e->comm, BPF_ANY);
	bpf_ringbuf_submit(e, 0);
	return 0;
}

char LICENSE[] SEC("license") = "Dual BSD/GPL";
