// SPDX-License-Identifier: MIT
// Six releases of a toy kernel, for their types only: built once for each RELEASE
// (510 for Linux 5.10), and its BTF written by pahole as the one of a real kernel is.
// What changes between them changed between the releases of Linux, too:
//
//   5.14  task_struct: state became __state
//   6.6   bpf_map_sum_elem_count(), the number of entries of a map without preallocation
//
// and the enumerations of BPF grow with each release. task_state.bpf.o is to be
// loaded on all of them.
typedef unsigned int u32;
typedef unsigned long long u64;
typedef long long s64;
typedef _Bool bool;
typedef int pid_t;

struct mm_struct {
	unsigned long total_vm;
	int map_count;
};

struct task_struct {
#if RELEASE < 514
	volatile long state;
#else
	unsigned int __state;
#endif
	void *stack;
	unsigned int flags;
#if RELEASE >= 612
	int on_rq;
#endif
	int prio;
	struct mm_struct *mm;
	int exit_state;
	int exit_code;
	pid_t pid;
	pid_t tgid;
	struct task_struct *real_parent;
	u64 utime;
	u64 stime;
	char comm[16];
};

struct bpf_map {
	const void *ops;
	u32 map_type;
	u32 key_size;
	u32 value_size;
	u32 max_entries;
#if RELEASE >= 606
	s64 *elem_count;
#endif
	u32 id;
};

typedef void (*btf_trace_sched_switch)(void *data, bool preempt, struct task_struct *prev,
#if RELEASE >= 518
				       struct task_struct *next, unsigned int prev_state);
#else
				       struct task_struct *next);
#endif

enum bpf_func_id {
	BPF_FUNC_unspec = 0,
	BPF_FUNC_map_lookup_elem = 1,
	BPF_FUNC_map_update_elem = 2,
	BPF_FUNC_map_delete_elem = 3,
	BPF_FUNC_ktime_get_ns = 5,
	BPF_FUNC_get_current_pid_tgid = 14,
	BPF_FUNC_sk_storage_delete = 108,
	BPF_FUNC_probe_read_user = 112,
	BPF_FUNC_probe_read_kernel = 113,
	BPF_FUNC_ringbuf_reserve = 131,
	BPF_FUNC_ringbuf_submit = 132,
#if RELEASE >= 512
	BPF_FUNC_check_mtu = 163,
#endif
#if RELEASE >= 513
	BPF_FUNC_for_each_map_elem = 164,
#endif
#if RELEASE >= 514
	BPF_FUNC_sys_bpf = 166,
#endif
#if RELEASE >= 515
	BPF_FUNC_get_func_ip = 173,
#endif
#if RELEASE >= 517
	BPF_FUNC_loop = 181,
#endif
#if RELEASE >= 518
	BPF_FUNC_copy_from_user_task = 191,
#endif
#if RELEASE >= 519
	BPF_FUNC_kptr_xchg = 194,
#endif
#if RELEASE >= 601
	BPF_FUNC_ktime_get_tai_ns = 208,
#endif
};

enum bpf_map_type {
	BPF_MAP_TYPE_UNSPEC = 0,
	BPF_MAP_TYPE_HASH = 1,
	BPF_MAP_TYPE_ARRAY = 2,
	BPF_MAP_TYPE_PERCPU_HASH = 5,
	BPF_MAP_TYPE_PERCPU_ARRAY = 6,
	BPF_MAP_TYPE_SK_STORAGE = 24,
	BPF_MAP_TYPE_RINGBUF = 27,
#if RELEASE >= 516
	BPF_MAP_TYPE_BLOOM_FILTER = 30,
#endif
#if RELEASE >= 602
	BPF_MAP_TYPE_CGRP_STORAGE = 32,
#endif
#if RELEASE >= 609
	BPF_MAP_TYPE_ARENA = 33,
#endif
};

enum bpf_prog_type {
	BPF_PROG_TYPE_UNSPEC = 0,
	BPF_PROG_TYPE_KPROBE = 2,
	BPF_PROG_TYPE_RAW_TRACEPOINT = 17,
	BPF_PROG_TYPE_CGROUP_SYSCTL = 23,
	BPF_PROG_TYPE_TRACING = 26,
#if RELEASE >= 604
	BPF_PROG_TYPE_NETFILTER = 32,
#endif
};

enum bpf_attach_type {
	BPF_TRACE_RAW_TP = 23,
	BPF_TRACE_FENTRY = 24,
	BPF_TRACE_FEXIT = 25,
#if RELEASE >= 606
	BPF_TRACE_UPROBE_MULTI = 48,
#endif
#if RELEASE >= 607
	BPF_NETKIT_PRIMARY = 54,
#endif
#if RELEASE >= 610
	BPF_TRACE_KPROBE_SESSION = 56,
#endif
#if RELEASE >= 613
	BPF_TRACE_UPROBE_SESSION = 57,
#endif
};

struct task_struct *current_task;
struct bpf_map *first_map;
btf_trace_sched_switch trace_sched_switch;
enum bpf_func_id func_id;
enum bpf_map_type map_type;
enum bpf_prog_type prog_type;
enum bpf_attach_type attach_type;

#if RELEASE >= 606
s64 bpf_map_sum_elem_count(const struct bpf_map *map)
{
	return *map->elem_count;
}
#endif

void schedule(void)
{
	struct task_struct *task = current_task;

#if RELEASE < 514
	task->state = task->mm ? task->exit_state : task->exit_code;
#else
	task->__state = task->mm ? task->exit_state : task->exit_code;
#endif
	trace_sched_switch(0, func_id == map_type + prog_type + attach_type, task,
#if RELEASE >= 518
			   task->real_parent, 0);
#else
			   task->real_parent);
#endif
	first_map->id++;
}
