// SPDX-License-Identifier: MIT
// CO-RE records against the small kernels: accesses that move, that lead through
// anonymous members and arrays, that are guarded, that no version has, whose size
// differs, whose name has two types, and all thirteen kinds on real types.
#include "bpf_helpers.h"
#include "bpf_core.h"

typedef struct {
	unsigned int val;
} __core kuid_t;

struct list_head {
	struct list_head *next, *prev;
} __core;

struct sched_entity {
	__u64 vruntime;
	__u64 sum_exec_runtime;
	unsigned int on_rq;
} __core;

struct upid {
	int nr;
} __core;

struct pid {
	unsigned int level;
	struct upid numbers[1];
} __core;

enum pid_type { PIDTYPE_PID, PIDTYPE_TGID, PIDTYPE_PGID, PIDTYPE_SID, PIDTYPE_MAX };
enum scx_flags { SCX_FLAG_FIRST = 1, SCX_FLAG_LOCAL = 2, SCX_FLAG_BUILTIN = 1ULL << 63 };
enum tcp_state { TCP_ESTABLISHED = 1, TCP_SYN_SENT, TCP_CLOSE = 7 };
enum signed_level { LEVEL_BELOW = -1, LEVEL_ZERO, LEVEL_NEVER = 99 };
enum pid_type___other { PIDTYPE_NONE___other = 17 };

struct signal_struct {
	struct pid *pids[PIDTYPE_MAX];
	char comm_hint[7];
} __core;

struct cred {
	kuid_t uid;
	union {
		int non_rcu;
	};
} __core;

struct mm_struct {
	struct {
		unsigned long total_vm;
		int map_count;
		unsigned long arg_start;
	};
} __core;

struct task_struct {
	pid_t tgid;
	pid_t pid;
	unsigned int in_execve : 1;
	unsigned int in_iowait : 1;
	unsigned int sched_migrated : 3;
	struct sched_entity se;
	struct mm_struct *mm;
	const struct cred *cred;
	struct signal_struct *signal;
	struct list_head children;
	// The kernel has s8, u16 and a struct: sizes that no load of ours fits.
	int oom_score;
	__u64 cpu_hint;
	char comm[16];
	int never_there;
} __core;

struct task_struct___old {
	volatile long state;
} __core;

struct task_struct___new {
	unsigned int __state;
} __core;

struct inode___old {
	struct {
		long long tv_sec;
		long tv_nsec;
	} i_atime;
} __core;

struct inode___new {
	long long i_atime_sec;
} __core;

struct inode {
	unsigned long i_ino;
	const unsigned int i_nlink;
} __core;

struct sk_buff {
	unsigned int len;
	__u8 cloned : 1, pkt_type : 3;
	__u8 pp_recycle : 1;
	__u32 mark;
	struct {
		__u32 mark;
	} headers;
} __core;

struct sock_common {
	union {
		struct {
			__be32 skc_daddr;
		};
	};
	unsigned short skc_family;
	unsigned char skc_reuse : 4;
} __core;

struct sock {
	struct sock_common __sk_common;
	unsigned int sk_userlocks : 4;
} __core;

struct twin {
	__u32 one;
	__u64 two;
} __core;

struct packed_bits {
	__u8 version : 3;
	__u16 ttl : 9;
	__u32 wide : 20;
	__s64 deep : 33;
	_Bool on : 1;
} __core;

struct gone_later {
	__u32 only_first;
	__u32 always;
	__u32 resized;
	__u32 array[4];
} __core;

struct missing_in_second {
	int field;
} __core;

struct missing_everywhere {
	int a;
} __core;

// A union where the kernel has a struct: no candidate of that kind.
union net_device {
	int ifindex;
} __core;

struct bpf_prog_aux {
	int id;
	void *cgroup_storage[2];
} __core;

typedef struct bpf_prog_aux aux_t;

__u64 out[64];

#define FIELD_INFO(index, field)                                                          \
	do {                                                                              \
		out[index] = core_field_offset(field);                                    \
		out[index + 1] = core_field_size(field);                                  \
		out[index + 2] = core_field_exists(field);                                \
		out[index + 3] = core_field_signed(field);                                \
		out[index + 4] = core_field_lshift(field);                                \
		out[index + 5] = core_field_rshift(field);                                \
	} while (0)

// Of a struct, an array or a pointer there are no shifts.
#define PLACE_INFO(index, field)                                                          \
	do {                                                                              \
		out[index] = core_field_offset(field);                                    \
		out[index + 1] = core_field_size(field);                                  \
		out[index + 2] = core_field_exists(field);                                \
	} while (0)

SEC("tp_btf/sched_switch")
int direct(__u64 *ctx)
{
	struct task_struct *task = (void *)ctx[0];

	out[0] = task->tgid;
	out[1] = task->se.vruntime;
	out[2] = task->se.on_rq;
	out[3] = task->mm->total_vm;
	out[4] = task->mm->map_count;
	out[5] = task->cred->uid.val;
	out[6] = task->cred->non_rcu;
	out[7] = task->signal->pids[PIDTYPE_SID]->numbers[0].nr;
	out[8] = task->signal->comm_hint[3];
	out[9] = (__u64)task->children.next;
	out[10] = task->comm[15];
	return 0;
}

SEC("kprobe/do_exit")
int guarded(struct task_struct *task)
{
	struct task_struct___old *old = (void *)task;
	struct task_struct___new *new = (void *)task;
	struct inode___old *inode = (void *)task;
	struct inode___new *later = (void *)task;
	struct gone_later *gone = (void *)task;

	if (core_field_exists(old->state))
		out[0] = old->state;
	else if (core_field_exists(new->__state))
		out[0] = new->__state;
	if (core_field_exists(inode->i_atime))
		out[1] = inode->i_atime.tv_sec;
	else if (core_field_exists(later->i_atime_sec))
		out[1] = later->i_atime_sec;
	if (core_field_exists(task->never_there))
		out[2] = task->never_there;
	if (core_field_exists(gone->only_first))
		out[3] = gone->only_first;
	return 0;
}

SEC("fentry/vfs_read")
int unguarded(__u64 *ctx)
{
	struct gone_later *gone = (void *)ctx[0];
	struct missing_in_second *missing = (void *)ctx[1];
	struct missing_everywhere *never = (void *)ctx[2];
	struct twin *twin = (void *)ctx[3];

	out[0] = gone->only_first;
	out[1] = gone->always;
	out[2] = gone->resized;
	out[3] = gone->array[2];
	out[4] = missing->field;
	out[5] = never->a;
	out[6] = twin->two;
	return 0;
}

SEC("fexit/vfs_read")
int sizes(__u64 *ctx)
{
	struct task_struct *task = (void *)ctx[0];
	struct gone_later *gone = (void *)ctx[1];

	out[0] = task->oom_score;
	out[1] = task->cpu_hint;
	task->oom_score = 5;
	gone->resized = 1;
	*(volatile __u64 *)__builtin_preserve_access_index(&task->cpu_hint) = 7;
	out[2] = core_field_offset(task->never_there);
	return 0;
}

SEC("raw_tp/sys_enter")
int bits(__u64 *ctx)
{
	struct task_struct *task = (void *)ctx[0];
	struct packed_bits *packed = (void *)ctx[1];
	struct sk_buff *skb = (void *)ctx[2];
	struct sock *sk = (void *)ctx[3];

	FIELD_INFO(0, task->in_execve);
	FIELD_INFO(6, task->sched_migrated);
	FIELD_INFO(12, packed->version);
	FIELD_INFO(18, packed->ttl);
	FIELD_INFO(24, packed->wide);
	FIELD_INFO(30, packed->deep);
	FIELD_INFO(36, packed->on);
	FIELD_INFO(42, skb->pkt_type);
	FIELD_INFO(48, skb->pp_recycle);
	FIELD_INFO(54, sk->sk_userlocks);
	out[60] = core_read_bitfield(sk, __sk_common.skc_reuse);
	return 0;
}

SEC("raw_tp/sys_exit")
int fields(__u64 *ctx)
{
	struct task_struct *task = (void *)ctx[0];
	struct sk_buff *skb = (void *)ctx[1];
	struct sock *sk = (void *)ctx[2];
	struct inode *inode = (void *)ctx[3];
	struct bpf_prog_aux *aux = (void *)ctx[4];
	union net_device *dev = (void *)ctx[5];

	PLACE_INFO(0, task->se);
	PLACE_INFO(6, task->comm);
	FIELD_INFO(12, task->comm[3]);
	FIELD_INFO(18, skb->mark);
	FIELD_INFO(24, skb->headers.mark);
	FIELD_INFO(30, sk->__sk_common.skc_daddr);
	FIELD_INFO(36, inode->i_nlink);
	PLACE_INFO(42, aux->cgroup_storage[1]);
	FIELD_INFO(48, dev->ifindex);
	FIELD_INFO(54, aux->id);
	return 0;
}

SEC("tp/sched/sched_process_exec")
int types(void *ctx)
{
	out[0] = core_type_exists(struct task_struct);
	out[1] = core_type_size(struct task_struct);
	out[2] = core_type_matches(struct task_struct);
	out[3] = core_type_id_local(struct task_struct);
	out[4] = core_type_id_target(struct task_struct);
	out[5] = core_type_exists(struct missing_everywhere);
	out[6] = core_type_size(struct missing_everywhere);
	out[7] = core_type_id_target(struct missing_everywhere);
	out[8] = core_type_matches(struct missing_everywhere);
	out[9] = core_type_matches(struct twin);
	out[10] = core_type_size(struct twin);
	out[11] = core_type_id_target(struct twin);
	out[12] = core_type_matches(kuid_t);
	out[13] = core_type_exists(enum pid_type);
	out[14] = core_type_size(enum scx_flags);
	out[15] = core_type_matches(struct list_head);
	out[16] = core_type_matches(enum pid_type);
	out[17] = core_type_exists(aux_t);
	out[18] = core_type_id_local(union net_device);
	out[19] = core_type_size(struct gone_later);
	return 0;
}

SEC("tp/sched/sched_process_exit")
int enums(void *ctx)
{
	out[0] = core_enum_value_exists(enum pid_type, PIDTYPE_TGID);
	out[1] = core_enum_value(enum pid_type, PIDTYPE_TGID);
	out[2] = core_enum_value(enum pid_type, PIDTYPE_SID);
	out[3] = core_enum_value_exists(enum scx_flags, SCX_FLAG_BUILTIN);
	out[4] = core_enum_value(enum scx_flags, SCX_FLAG_LOCAL);
	out[5] = core_enum_value(enum tcp_state, TCP_CLOSE);
	out[6] = core_enum_value(enum signed_level, LEVEL_BELOW);
	out[7] = core_enum_value_exists(enum signed_level, LEVEL_NEVER);
	out[8] = core_enum_value_exists(enum pid_type___other, PIDTYPE_NONE___other);
	if (core_enum_value_exists(enum scx_flags, SCX_FLAG_BUILTIN))
		out[9] = core_enum_value(enum scx_flags, SCX_FLAG_BUILTIN);
	return 0;
}

char LICENSE[] SEC("license") = "GPL";
