#include "vmlinux.h"
#include <bpf/bpf_helpers.h>

struct task_struct;
struct cgroup { int level; } __attribute__((preserve_access_index));

extern struct task_struct *bpf_task_acquire(struct task_struct *p) __ksym;
extern void bpf_task_release(struct task_struct *p) __ksym __weak;
extern int LINUX_KERNEL_VERSION __kconfig;
extern const int bpf_prog_active __ksym;
extern enum libbpf_tristate CONFIG_BPF_SYSCALL __kconfig __weak;
extern int never_used __ksym;

struct holder {
	struct task_struct __kptr *task;
	struct cgroup __kptr_untrusted *cgrp;
	struct bpf_spin_lock lock;
};

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, 1);
	__type(key, int);
	__type(value, struct holder);
} held SEC(".maps");

SEC("tc")
int acquire(void *ctx)
{
	struct task_struct *t = bpf_task_acquire(ctx);

	if (t)
		bpf_task_release(t);
	return LINUX_KERNEL_VERSION + CONFIG_BPF_SYSCALL;
}

char _license[] SEC("license") = "GPL";
