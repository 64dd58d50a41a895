// SPDX-License-Identifier: MIT
#include "vmlinux.h"
#include <bpf/bpf_helpers.h>
#include <bpf/bpf_core_read.h>
#include <bpf/bpf_tracing.h>

#define EPERM 1
#define PATH_MAX 256

enum verdict { ALLOW, AUDIT, DENY = -EPERM };

struct policy {
	u64 inode;
	enum verdict verdict;
	u32 mask : 4, : 4, owner : 24;
};

struct audit_event {
	u64 cgroup;
	kuid_t uid;
	enum verdict verdict;
	char path[PATH_MAX];
};

struct {
	__uint(type, BPF_MAP_TYPE_INODE_STORAGE);
	__uint(map_flags, BPF_F_NO_PREALLOC);
	__type(key, int);
	__type(value, struct policy);
} policies SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_RINGBUF);
	__uint(max_entries, 64 * 1024);
} audit SEC(".maps");

__u64 denied SEC(".bss.stats");
volatile bool enforcing = true;
static volatile u32 monitored_pid;

__noinline int decide(struct policy *policy __arg_nonnull, int mask)
{
	if (policy->mask & mask)
		return policy->verdict;
	return ALLOW;
}

SEC("lsm.s/file_open")
int BPF_PROG(restrict_open, struct file *file)
{
	struct audit_event *e;
	struct policy *policy;
	int verdict;

	if (monitored_pid && monitored_pid != bpf_get_current_pid_tgid() >> 32)
		return 0;
	policy = bpf_inode_storage_get(&policies, file->f_inode, 0, 0);
	if (!policy)
		return 0;
	verdict = decide(policy, 1);
	e = bpf_ringbuf_reserve(&audit, sizeof(*e), 0);
	if (e) {
		e->cgroup = bpf_get_current_cgroup_id();
		e->uid = file->f_cred->uid;
		e->verdict = verdict;
		bpf_d_path(&file->f_path, e->path, sizeof(e->path));
		bpf_ringbuf_submit(e, 0);
	}
	if (verdict < 0 && enforcing) {
		__sync_fetch_and_add(&denied, 1);
		return verdict;
	}
	return 0;
}

SEC("lsm/bprm_check_security")
int BPF_PROG(check_bprm, struct linux_binprm *bprm, int ret)
{
	if (ret)
		return ret;
	bpf_printk("exec by %d of %s", monitored_pid, BPF_CORE_READ(bprm, filename));
	return 0;
}

char LICENSE[] SEC("license") = "Dual BSD/GPL";
