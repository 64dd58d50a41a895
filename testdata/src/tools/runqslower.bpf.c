// SPDX-License-Identifier: MIT
#include "vmlinux.h"
#include <bpf/bpf_helpers.h>
#include <bpf/bpf_core_read.h>
#include <bpf/bpf_tracing.h>

#define TASK_RUNNING 0

struct runq_event {
	char task[16];
	char prev_task[16];
	__u64 delta_us;
	pid_t pid;
	pid_t prev_pid;
};

const volatile __u64 min_us = 0;
const volatile pid_t targ_pid = 0;
const volatile pid_t targ_tgid = 0;

struct task_struct___o {
	volatile long int state;
} __attribute__((preserve_access_index));

struct task_struct___x {
	unsigned int __state;
} __attribute__((preserve_access_index));

struct {
	__uint(type, BPF_MAP_TYPE_TASK_STORAGE);
	__uint(map_flags, BPF_F_NO_PREALLOC);
	__type(key, int);
	__type(value, u64);
} start SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_RINGBUF);
	__uint(max_entries, 1 << 18);
} events SEC(".maps");

static __always_inline __s64 get_task_state(void *task)
{
	struct task_struct___x *t = task;

	if (bpf_core_field_exists(t->__state))
		return BPF_CORE_READ(t, __state);
	return BPF_CORE_READ((struct task_struct___o *)task, state);
}

static int trace_enqueue(struct task_struct *t)
{
	u64 *ptr;

	if (t->pid == 0 || (targ_tgid && targ_tgid != t->tgid) || (targ_pid && targ_pid != t->pid))
		return 0;
	ptr = bpf_task_storage_get(&start, t, 0, BPF_LOCAL_STORAGE_GET_F_CREATE);
	if (ptr)
		*ptr = bpf_ktime_get_ns();
	return 0;
}

SEC("tp_btf/sched_wakeup")
int BPF_PROG(sched_wakeup, struct task_struct *p)
{
	return trace_enqueue(p);
}

SEC("tp_btf/sched_wakeup_new")
int BPF_PROG(sched_wakeup_new, struct task_struct *p)
{
	return trace_enqueue(p);
}

SEC("tp_btf/sched_switch")
int BPF_PROG(sched_switch, bool preempt, struct task_struct *prev, struct task_struct *next)
{
	struct runq_event *event;
	u64 *tsp, delta_us;

	if (get_task_state(prev) == TASK_RUNNING)
		trace_enqueue(prev);
	if (next->pid == 0)
		return 0;
	tsp = bpf_task_storage_get(&start, next, 0, 0);
	if (!tsp || !*tsp)
		return 0;
	delta_us = (bpf_ktime_get_ns() - *tsp) / 1000;
	if (min_us && delta_us <= min_us)
		return 0;
	event = bpf_ringbuf_reserve(&events, sizeof(*event), 0);
	if (!event)
		return 0;
	event->pid = next->pid;
	event->prev_pid = prev->pid;
	event->delta_us = delta_us;
	bpf_probe_read_kernel_str(&event->task, sizeof(event->task), next->comm);
	bpf_probe_read_kernel_str(&event->prev_task, sizeof(event->prev_task), prev->comm);
	bpf_ringbuf_submit(event, 0);
	*tsp = 0;
	return 0;
}

char LICENSE[] SEC("license") = "GPL";
