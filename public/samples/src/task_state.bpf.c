// SPDX-License-Identifier: MIT
// Counts how often tasks in each state leave the processor. It was written on Linux
// 6.12, and nobody tried it elsewhere: it does not load on all kernels that its users
// have.
//
// Look at: Load, with the six releases of the toy kernel. On 5.10 two things are
// missing, and the first hides the second: bpf_map_sum_elem_count() came with 6.6,
// and what is __state now was state before 5.14. Each has a fix.
#include "include/bpf_helpers.h"
#include "include/bpf_core.h"

#define BPF_F_NO_PREALLOC 1
#define MAX_STATES 64

// As in libbpf's headers: the fixes use them.
#define bpf_core_field_exists(type, field) core_field_exists(((type *)0)->field)
#define bpf_ksym_exists(name) (!!(name))

struct task_struct {
	unsigned int __state;
	pid_t tgid;
} __core;

struct bpf_map {
	__u32 id;
} __core;

struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, 1024);
	__uint(map_flags, BPF_F_NO_PREALLOC);
	__type(key, __u32);
	__type(value, __u64);
} switches SEC(".maps");

extern __s64 bpf_map_sum_elem_count(const struct bpf_map *map) __ksym;

static void count(__u32 state)
{
	__u64 first = 1;
	__u64 *times = bpf_map_lookup_elem(&switches, &state);

	if (times)
		__sync_fetch_and_add(times, 1);
	else
		bpf_map_update_elem(&switches, &state, &first, 0);
}

SEC("tp_btf/sched_switch")
int count_switch(__u64 *ctx)
{
	struct task_struct *task = (void *)ctx[1];
	__s64 states = bpf_map_sum_elem_count((struct bpf_map *)&switches);

	if (states >= MAX_STATES)
		return 0;
	__u32 state = BPF_CORE_READ(task, __state);

	count(state);
	return 0;
}

SEC("raw_tp/sched_process_exit")
int forget_idle(void *ctx)
{
	__u32 idle = 0;

	bpf_map_delete_elem(&switches, &idle);
	return 0;
}

char _license[] SEC("license") = "GPL";
