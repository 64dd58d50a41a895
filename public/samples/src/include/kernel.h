// SPDX-License-Identifier: MIT
// The structs of the sample kernel, which kernel.c and module.c share. Names are
// those of Linux on x86-64 so that exec_trace.bpf.o finds them; members are a few
// of the real ones, in an order of their own.
#ifndef SAMPLES_KERNEL_H
#define SAMPLES_KERNEL_H

typedef unsigned char u8;
typedef unsigned short u16;
typedef unsigned int u32;
typedef int s32;
typedef unsigned long long u64;
typedef _Bool bool;
typedef int pid_t;
typedef unsigned long size_t;

typedef struct {
	int counter;
} atomic_t;

typedef struct refcount_struct {
	atomic_t refs;
} refcount_t;

typedef struct {
	unsigned int val;
} kuid_t;

struct list_head {
	struct list_head *next, *prev;
};

struct callback_head {
	struct callback_head *next;
	void (*func)(struct callback_head *head);
};

struct cred {
	refcount_t usage;
	kuid_t uid;
	kuid_t suid;
	kuid_t euid;
	union {
		int non_rcu;
		struct callback_head rcu;
	};
};

struct mm_struct {
	struct {
		struct {
			atomic_t mm_count;
		} __attribute__((aligned(64)));
		unsigned long task_size;
		atomic_t mm_users;
		unsigned long total_vm;
		unsigned long locked_vm;
		unsigned long start_code, end_code, start_data, end_data;
		unsigned long start_stack;
		unsigned long arg_start, arg_end;
	};
	unsigned long cpu_bitmap[];
};

// One value more than exec_trace knows, so that PIDTYPE_SID is another number.
enum pid_type {
	PIDTYPE_PID,
	PIDTYPE_TGID,
	PIDTYPE_PIDFD,
	PIDTYPE_PGID,
	PIDTYPE_SID,
	PIDTYPE_MAX,
};

struct pid_namespace;

struct upid {
	int nr;
	struct pid_namespace *ns;
};

struct pid {
	refcount_t count;
	unsigned int level;
	struct list_head inodes;
	struct upid numbers[];
};

struct signal_struct {
	refcount_t sigcnt;
	atomic_t live;
	int group_exit_code;
	struct pid *pids[PIDTYPE_MAX];
	u64 utime, stime;
};

struct task_struct {
	struct {
		unsigned long flags;
		u32 cpu;
	} thread_info;
	unsigned int __state;
	void *stack;
	refcount_t usage;
	int prio;
	struct list_head tasks;
	struct mm_struct *mm;
	struct mm_struct *active_mm;
	int exit_state;
	int exit_code;
	unsigned int sched_reset_on_fork : 1;
	unsigned int sched_contributes_to_load : 1;
	unsigned int : 0;
	unsigned int in_execve : 1;
	unsigned int in_iowait : 1;
	pid_t pid;
	pid_t tgid;
	struct task_struct *real_parent;
	struct task_struct *parent;
	struct list_head children;
	const struct cred *real_cred;
	const struct cred *cred;
	char comm[16];
	struct signal_struct *signal;
	u64 start_time;
};

struct pt_regs {
	unsigned long r15, r14, r13, r12, bp, bx;
	unsigned long r11, r10, r9, r8, ax, cx, dx, si, di;
	unsigned long orig_ax, ip, cs, flags, sp, ss;
};

struct linux_binprm {
	struct mm_struct *mm;
	unsigned long p;
	bool have_execfd : 1;
	bool secureexec : 1;
	int argc, envc;
	const char *filename;
	const char *interp;
	char buf[256];
};

#endif
