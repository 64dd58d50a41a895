// SPDX-License-Identifier: MIT
#include "vmlinux.h"
#include <bpf/bpf_helpers.h>
#include <bpf/bpf_core_read.h>
#include <bpf/bpf_tracing.h>

#define CLOCK_MONOTONIC 1
#define __private(name) SEC(".data." #name) __hidden __attribute__((aligned(8)))

struct node_data {
	struct bpf_rb_node node;
	u64 cpu_ns;
	struct task_struct __kptr *task;
};

struct elem {
	struct bpf_timer timer;
	struct task_struct __kptr *kept;
	struct cgroup __kptr_untrusted *cgrp;
	int counts[2][3];
};

struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, 64);
	__type(key, int);
	__type(value, struct elem);
} elems SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_STACK_TRACE);
	__uint(max_entries, 16384);
	__uint(key_size, sizeof(u32));
	__uint(value_size, 127 * sizeof(u64));
} stackmap SEC(".maps");

extern struct task_struct *bpf_task_from_pid(s32 pid) __ksym;
extern void bpf_task_release(struct task_struct *p) __ksym;
extern const struct rq runqueues __ksym;
extern unsigned long CONFIG_HZ __kconfig;

__private(A) struct bpf_spin_lock glock;
__private(A) struct bpf_rb_root groot __attribute__((btf_decl_tag("contains:node_data:node")));

typedef int (*visit_fn)(struct task_struct *task, void *ctx);

static int tick(void *map, int *key, struct bpf_timer *timer)
{
	bpf_timer_start(timer, 1000000, 0);
	return 0;
}

SEC("iter/task")
int dump_tasks(struct bpf_iter__task *ctx)
{
	struct seq_file *seq = ctx->meta->seq;
	struct task_struct *task = ctx->task;
	static const char fmt[] = "%d %d\n";
	u64 args[2];

	if (!task)
		return 0;
	args[0] = task->tgid;
	args[1] = task->pid;
	bpf_seq_printf(seq, fmt, sizeof(fmt), args, sizeof(args));
	return 0;
}

SEC("perf_event")
int do_sample(struct bpf_perf_event_data *ctx)
{
	int key = bpf_get_smp_processor_id();
	struct elem *e = bpf_map_lookup_elem(&elems, &key);
	struct rq *rq = bpf_per_cpu_ptr(&runqueues, key);
	struct task_struct *task;

	if (!e || !rq)
		return 0;
	e->counts[0][1] = rq->nr_running + CONFIG_HZ;
	bpf_get_stackid(&ctx->regs, &stackmap, 0);
	task = bpf_task_from_pid(1);
	if (task)
		bpf_task_release(task);
	return 0;
}

SEC("syscall")
int start_timer(void *ctx)
{
	int key = 0;
	struct elem *e = bpf_map_lookup_elem(&elems, &key);

	if (!e)
		return 1;
	bpf_timer_init(&e->timer, &elems, CLOCK_MONOTONIC);
	bpf_timer_set_callback(&e->timer, tick);
	return bpf_timer_start(&e->timer, 0, 0);
}

char _license[] SEC("license") = "GPL";
