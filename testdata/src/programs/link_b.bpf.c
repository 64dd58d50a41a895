// SPDX-License-Identifier: MIT
// The other of the two files: the same types again, and names of the first file.
#include "bpf_helpers.h"
#include "bpf_core.h"

struct shared {
	__u32 id;
	__u64 count;
};

struct task_struct {
	pid_t pid;
	char comm[16];
} __core;

extern struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, 32);
	__type(key, __u32);
	__type(value, struct shared);
} joined SEC(".maps");

extern struct shared first;
__u32 other_side = 7;

extern int helper_of_a(struct shared *shared);

SEC("fexit/first")
int in_b(__u64 *ctx)
{
	struct task_struct *task = (void *)ctx[0];
	struct shared *found;
	__u32 key = task->pid + other_side;

	found = bpf_map_lookup_elem(&joined, &key);
	return helper_of_a(found ? found : &first) + task->comm[2];
}
