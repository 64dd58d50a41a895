// SPDX-License-Identifier: MIT
// A first try of lineage.bpf.c, with the mistakes that people make in one: it compiles
// without a warning.
//
// Look at: no CO-RE record, as its own struct task_struct is not marked: not even the
// type is in .BTF; the program in fentry/wake_up_new_taks, a misspelt function of the
// kernel; on_exit, a function without SEC, which is no program; struct birth, with a hole.
#include "include/bpf_helpers.h"

struct task_struct {
	pid_t pid;
	pid_t tgid;
	struct task_struct *real_parent;
	char comm[16];
};

struct birth {
	__u32 uid;
	__u64 when;
	pid_t parent;
	char comm[16];
};

struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, 4096);
	__type(key, pid_t);
	__type(value, struct birth);
} births SEC(".maps");

SEC("fentry/wake_up_new_taks")
int on_birth(__u64 *ctx)
{
	struct task_struct *child = (void *)ctx[0];
	pid_t pid = child->pid;
	struct birth birth = {};

	birth.when = bpf_ktime_get_ns();
	birth.parent = child->real_parent->tgid;
	bpf_probe_read_kernel_str(birth.comm, sizeof(birth.comm), child->comm);
	bpf_map_update_elem(&births, &pid, &birth, 0);
	return 0;
}

int on_exit(__u64 *ctx)
{
	pid_t pid = bpf_get_current_pid_tgid();

	bpf_map_delete_elem(&births, &pid);
	return 0;
}

char LICENSE[] SEC("license") = "GPL";
