#ifndef __VMLINUX_H__
#define __VMLINUX_H__

#ifndef BPF_NO_PRESERVE_ACCESS_INDEX
#pragma clang attribute push (__attribute__((preserve_access_index)), apply_to = record)
#endif

typedef unsigned int u32;

typedef struct {
	int counter;
} atomic_t;

struct refcount_struct {
	atomic_t refs;
};

typedef struct refcount_struct refcount_t;

struct list_head {
	struct list_head *next;
	struct list_head *prev;
};

typedef int pid_t;

typedef unsigned long long u64;

struct mm_struct;

struct cred;

struct signal_struct;

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
	unsigned int sched_reset_on_fork: 1;
	unsigned int sched_contributes_to_load: 1;
	int: 30;
	unsigned int in_execve: 1;
	unsigned int in_iowait: 1;
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

struct mm_struct {
	struct {
		struct {
			atomic_t mm_count;
			long: 64;
			long: 64;
			long: 64;
			long: 64;
			long: 64;
			long: 64;
			long: 64;
		};
		unsigned long task_size;
		atomic_t mm_users;
		unsigned long total_vm;
		unsigned long locked_vm;
		unsigned long start_code;
		unsigned long end_code;
		unsigned long start_data;
		unsigned long end_data;
		unsigned long start_stack;
		unsigned long arg_start;
		unsigned long arg_end;
		long: 64;
		long: 64;
		long: 64;
		long: 64;
		long: 64;
	};
	unsigned long cpu_bitmap[0];
};

typedef struct {
	unsigned int val;
} kuid_t;

struct callback_head {
	struct callback_head *next;
	void (*func)(struct callback_head *);
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

struct pid;

struct signal_struct {
	refcount_t sigcnt;
	atomic_t live;
	int group_exit_code;
	struct pid *pids[5];
	u64 utime;
	u64 stime;
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
	struct upid numbers[0];
};

enum pid_type {
	PIDTYPE_PID = 0,
	PIDTYPE_TGID = 1,
	PIDTYPE_PIDFD = 2,
	PIDTYPE_PGID = 3,
	PIDTYPE_SID = 4,
	PIDTYPE_MAX = 5,
};

enum {
	TASK_RUNNING = 0,
	TASK_INTERRUPTIBLE = 1,
	TASK_DEAD = 128,
};

typedef _Bool bool;

struct linux_binprm {
	struct mm_struct *mm;
	unsigned long p;
	bool have_execfd: 1;
	bool secureexec: 1;
	int argc;
	int envc;
	const char *filename;
	const char *interp;
	char buf[256];
};

struct pt_regs {
	unsigned long r15;
	unsigned long r14;
	unsigned long r13;
	unsigned long r12;
	unsigned long bp;
	unsigned long bx;
	unsigned long r11;
	unsigned long r10;
	unsigned long r9;
	unsigned long r8;
	unsigned long ax;
	unsigned long cx;
	unsigned long dx;
	unsigned long si;
	unsigned long di;
	unsigned long orig_ax;
	unsigned long ip;
	unsigned long cs;
	unsigned long flags;
	unsigned long sp;
	unsigned long ss;
};

typedef unsigned long size_t;

#ifndef BPF_NO_PRESERVE_ACCESS_INDEX
#pragma clang attribute pop
#endif

#endif /* __VMLINUX_H__ */
