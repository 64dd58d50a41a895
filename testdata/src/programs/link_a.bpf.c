// SPDX-License-Identifier: MIT
// One of two files that `bpftool gen object` joins: it defines what the other uses.
#include "bpf_helpers.h"
#include "bpf_core.h"

struct shared {
	__u32 id;
	__u64 count;
};

struct task_struct {
	pid_t tgid;
	pid_t pid;
} __core;

struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, 32);
	__type(key, __u32);
	__type(value, struct shared);
} joined SEC(".maps");

struct shared first = { 1, 100 };
extern __u32 other_side;

__noinline int helper_of_a(struct shared *shared)
{
	if (!shared)
		return -1;
	shared->count++;
	return shared->id;
}

SEC("fentry/first")
int in_a(__u64 *ctx)
{
	struct task_struct *task = (void *)ctx[0];
	__u32 key = task->tgid;

	other_side++;
	return helper_of_a(bpf_map_lookup_elem(&joined, &key));
}

char LICENSE[] SEC("license") = "GPL";
