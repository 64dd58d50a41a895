// SPDX-License-Identifier: MIT
// Follows processes from start to end: a tracing program that runs on kernels it
// was not compiled for, because every access to a kernel struct is a CO-RE record.
//
// Look at: the structs here have a handful of members in any order; only names
// count. Try it against kernel.btf: `state` is gone there, so the record of
// task_struct___old::state finds nothing, and its guard (field_exists) becomes 0.
// Look also for access strings that go deep (mm_struct 0:0:1, pid 0:1:0:0), for a
// bit-field and for two enum values.
#include "include/bpf_helpers.h"
#include "include/bpf_core.h"

typedef struct {
	unsigned int val;
} __core kuid_t;

struct cred {
	kuid_t uid;
	kuid_t euid;
} __core;

// As in the kernel, the members lie in a struct without a name.
struct mm_struct {
	struct {
		unsigned long start_code;
		unsigned long total_vm;
		unsigned long arg_start;
	};
} __core;

struct upid {
	int nr;
} __core;

struct pid {
	unsigned int level;
	struct upid numbers[1];
} __core;

enum pid_type { PIDTYPE_PID, PIDTYPE_TGID, PIDTYPE_PGID, PIDTYPE_SID, PIDTYPE_MAX };

struct signal_struct {
	struct pid *pids[PIDTYPE_MAX];
	int group_exit_code;
} __core;

struct task_struct {
	unsigned int __state;
	int exit_code;
	pid_t pid;
	pid_t tgid;
	unsigned int in_execve : 1;
	unsigned int in_iowait : 1;
	struct task_struct *real_parent;
	struct mm_struct *mm;
	const struct cred *cred;
	struct signal_struct *signal;
	char comm[16];
} __core;

// A flavour: everything after ___ is dropped when the kernel's type is looked up.
// Before Linux 5.14 the member was called `state` and was a long.
struct task_struct___old {
	volatile long state;
} __core;

// The registers of x86-64; only the one that is read need be here.
struct pt_regs {
	unsigned long di;
} __core;

struct linux_binprm {
	const char *filename;
	int argc;
} __core;

// Same name, other shape: `type matches` is false where `type exists` is true.
struct cred___wrong {
	struct cred *uid;
};

struct event {
	__u64 started;
	__u64 lived;
	pid_t pid;
	pid_t parent;
	pid_t session;
	__u32 uid;
	__u32 state;
	int exit_code;
	__u64 pages;
	char comm[16];
	char file[64];
};

struct {
	__uint(type, BPF_MAP_TYPE_RINGBUF);
	__uint(max_entries, 256 * 1024);
} events SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, 16384);
	__type(key, pid_t);
	__type(value, __u64);
} started SEC(".maps");

const volatile pid_t only_pid = 0;
const volatile __u32 only_uid = ~0U;
__u64 lost;

// On old kernels `state`, on new ones `__state`; the other access is never run,
// and the loader turns it into an instruction that must not be reached.
static __noinline __u32 state_of(struct task_struct *task)
{
	struct task_struct___old *old = (void *)task;
	unsigned int state = 0;

	if (core_field_exists(old->state)) {
		long wide = 0;

		core_read(&wide, old->state);
		state = wide;
	} else {
		core_read(&state, task->__state);
	}
	return state;
}

// task->signal->pids[PIDTYPE_SID]->numbers[0].nr, one pointer at a time.
static __noinline pid_t session_of(struct task_struct *task)
{
	struct signal_struct *signal = NULL;
	struct pid *pid = NULL;
	pid_t session = 0;

	core_read(&signal, task->signal);
	core_read(&pid, signal->pids[PIDTYPE_SID]);
	core_read(&session, pid->numbers[0].nr);
	return session;
}

SEC("tp_btf/sched_process_exec")
int on_exec(__u64 *ctx)
{
	struct task_struct *task = (void *)ctx[0];
	struct linux_binprm *binprm = (void *)ctx[2];
	__u64 now = bpf_ktime_get_ns();
	pid_t tgid = task->tgid;
	struct event *event;

	if (only_pid && tgid != only_pid)
		return 0;
	if (only_uid != ~0U && task->cred->uid.val != only_uid)
		return 0;
	bpf_map_update_elem(&started, &tgid, &now, 0);

	event = bpf_ringbuf_reserve(&events, sizeof(*event), 0);
	if (!event) {
		__sync_fetch_and_add(&lost, 1);
		return 0;
	}
	event->started = now;
	event->lived = 0;
	event->pid = tgid;
	event->parent = task->real_parent->tgid;
	event->session = session_of(task);
	event->uid = task->cred->uid.val;
	event->state = core_read_bitfield(task, in_execve);
	event->exit_code = 0;
	event->pages = task->mm->total_vm;
	bpf_probe_read_kernel_str(event->comm, sizeof(event->comm), &task->comm[0]);
	bpf_probe_read_kernel_str(event->file, sizeof(event->file), binprm->filename);
	bpf_ringbuf_submit(event, 0);
	return 0;
}

SEC("kprobe/do_exit")
int on_exit(struct pt_regs *regs)
{
	struct task_struct *task = bpf_get_current_task();
	pid_t tgid = bpf_get_current_pid_tgid() >> 32;
	__u64 *begun = bpf_map_lookup_elem(&started, &tgid);
	struct event *event;

	if (!begun)
		return 0;
	event = bpf_ringbuf_reserve(&events, sizeof(*event), 0);
	if (!event) {
		__sync_fetch_and_add(&lost, 1);
		return 0;
	}
	event->started = *begun;
	event->lived = bpf_ktime_get_ns() - *begun;
	event->pid = tgid;
	event->parent = 0;
	event->session = session_of(task);
	event->uid = 0;
	event->state = state_of(task);
	event->exit_code = regs->di;
	event->pages = 0;
	core_read(&event->comm, task->comm);
	event->file[0] = 0;
	bpf_ringbuf_submit(event, 0);
	bpf_map_delete_elem(&started, &tgid);
	return 0;
}

// What the kernel is like, asked once: types, sizes, enum values.
__u64 kernel[8];

SEC("raw_tp/sys_enter")
int ask_kernel(void *ctx)
{
	kernel[0] = core_type_exists(struct task_struct___old);
	kernel[1] = core_type_size(struct task_struct);
	kernel[2] = core_type_matches(struct cred___wrong);
	kernel[3] = core_type_id_target(struct task_struct);
	kernel[4] = core_type_id_local(struct task_struct);
	kernel[5] = core_enum_value_exists(enum pid_type, PIDTYPE_TGID);
	kernel[6] = core_enum_value(enum pid_type, PIDTYPE_SID);
	kernel[7] = core_field_size(((struct task_struct *)0)->comm);
	return 0;
}

char LICENSE[] SEC("license") = "GPL";
