// SPDX-License-Identifier: MIT
// Who started which process, with the types of the kernel: include/vmlinux.h is what
// `bpftool btf dump file kernel.btf format c` prints, the header of all its types.
//
// Look at: one BPF_CORE_READ over two pointers, which writes three CO-RE records;
// `child->pid`, a direct read, which is a record as well, since vmlinux.h marks every
// struct. draft.bpf.c is this program before it was repaired.
#include "include/vmlinux.h"
#include "include/bpf_helpers.h"
#include "include/bpf_core.h"

struct birth {
	__u64 when;
	pid_t parent;
	__u32 uid;
	char comm[16];
};

struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, 4096);
	__type(key, pid_t);
	__type(value, struct birth);
} births SEC(".maps");

const volatile __u32 only_uid = ~0U;

SEC("fentry/wake_up_new_task")
int on_birth(__u64 *ctx)
{
	struct task_struct *child = (void *)ctx[0];
	pid_t pid = child->pid;
	struct birth birth = {};

	birth.uid = BPF_CORE_READ(child, real_parent, cred, uid.val);
	if (only_uid != ~0U && birth.uid != only_uid)
		return 0;
	birth.when = bpf_ktime_get_ns();
	birth.parent = BPF_CORE_READ(child, real_parent, tgid);
	bpf_probe_read_kernel_str(birth.comm, sizeof(birth.comm), &child->comm);
	bpf_map_update_elem(&births, &pid, &birth, 0);
	return 0;
}

SEC("fentry/do_exit")
int on_exit(__u64 *ctx)
{
	struct task_struct *task = bpf_get_current_task();
	pid_t pid = BPF_CORE_READ(task, pid);

	bpf_map_delete_elem(&births, &pid);
	return 0;
}

char LICENSE[] SEC("license") = "GPL";
