/* SPDX-License-Identifier: MIT */
/* The kernel types that the programs in this folder name: a choice of members in an order of their own. */
#ifndef __VMLINUX_H__
#define __VMLINUX_H__

#pragma clang attribute push(__attribute__((preserve_access_index)), apply_to = record)

typedef unsigned char u8;
typedef unsigned short u16;
typedef unsigned int u32;
typedef int s32;
typedef long long s64;
typedef unsigned long long u64;
typedef u32 __wsum;
typedef unsigned int uid_t;

enum { false = 0, true = 1 };

enum bpf_map_type {
	BPF_MAP_TYPE_UNSPEC, BPF_MAP_TYPE_HASH, BPF_MAP_TYPE_ARRAY, BPF_MAP_TYPE_PROG_ARRAY,
	BPF_MAP_TYPE_PERF_EVENT_ARRAY, BPF_MAP_TYPE_PERCPU_HASH, BPF_MAP_TYPE_PERCPU_ARRAY,
	BPF_MAP_TYPE_STACK_TRACE, BPF_MAP_TYPE_CGROUP_ARRAY, BPF_MAP_TYPE_LRU_HASH,
	BPF_MAP_TYPE_LRU_PERCPU_HASH, BPF_MAP_TYPE_SOCKHASH = 18, BPF_MAP_TYPE_CGROUP_STORAGE,
	BPF_MAP_TYPE_SK_STORAGE = 24, BPF_MAP_TYPE_RINGBUF = 27, BPF_MAP_TYPE_INODE_STORAGE,
	BPF_MAP_TYPE_TASK_STORAGE,
};
enum { BPF_ANY, BPF_NOEXIST };
enum { BPF_F_NO_PREALLOC = 1, BPF_F_CLONE = 512 };
enum { BPF_F_CURRENT_CPU = 0xffffffffULL };
enum { BPF_F_INGRESS = 1 };
enum { BPF_LOCAL_STORAGE_GET_F_CREATE = 1, BPF_SK_STORAGE_GET_F_CREATE = 1 };
enum { BPF_SOCK_OPS_ACTIVE_ESTABLISHED_CB = 4, BPF_SOCK_OPS_PASSIVE_ESTABLISHED_CB = 5 };
enum { TCP_ESTABLISHED = 1, TCP_SYN_SENT = 2 };

typedef struct {
	unsigned int val;
} kuid_t;

struct cred {
	kuid_t uid, euid;
};

struct list_head {
	struct list_head *next, *prev;
};

struct task_struct {
	unsigned int __state;
	int pid;
	int tgid;
	unsigned int in_iowait : 1;
	struct list_head tasks;
	struct task_struct *real_parent;
	const struct cred *cred;
	char comm[16];
};

struct trace_entry {
	unsigned short type;
	unsigned char flags, preempt_count;
	int pid;
};

struct trace_event_raw_sys_enter {
	struct trace_entry ent;
	long id;
	unsigned long args[6];
	char __data[];
};

struct trace_event_raw_sys_exit {
	struct trace_entry ent;
	long id, ret;
	char __data[];
};

struct gendisk {
	int major, first_minor;
};

struct request_queue {
	struct gendisk *disk;
};

struct request {
	struct request_queue *q;
	unsigned int cmd_flags;
};

struct sockaddr {
	u16 sa_family;
	char sa_data[14];
};

struct sock_common {
	union {
		u64 skc_addrpair;
		struct {
			__be32 skc_daddr, skc_rcv_saddr;
		};
	};
	union {
		u32 skc_portpair;
		struct {
			__be16 skc_dport;
			u16 skc_num;
		};
	};
	u16 skc_family;
	volatile unsigned char skc_state;
	unsigned char skc_reuse : 4, skc_reuseport : 1;
};

struct sock {
	struct sock_common __sk_common;
};

struct inet_connection_sock {
	struct sock icsk;
	u64 icsk_ca_priv[13];
};

struct tcp_sock {
	struct inet_connection_sock inet_conn;
	u32 snd_cwnd, snd_ssthresh;
};

struct rate_sample;
union tcp_cc_info;
struct module;

struct tcp_congestion_ops {
	u32 (*ssthresh)(struct sock *sk);
	void (*cong_avoid)(struct sock *sk, u32 ack, u32 acked);
	void (*cong_control)(struct sock *sk, u32 ack, int flag, const struct rate_sample *rs);
	u32 (*undo_cwnd)(struct sock *sk);
	u64 (*get_info)(struct sock *sk, u32 ext, int *attr, union tcp_cc_info *info);
	char name[16];
	struct module *owner;
	void (*init)(struct sock *sk);
	void (*release)(struct sock *sk);
} __attribute__((aligned(64)));

struct inode;
struct dentry;
struct vfsmount;

struct path {
	struct vfsmount *mnt;
	struct dentry *dentry;
};

struct file {
	struct path f_path;
	struct inode *f_inode;
	const struct cred *f_cred;
};

struct linux_binprm {
	const char *filename;
	int argc;
};

struct pt_regs {
	unsigned long r15, r14, r13, r12, bp, bx, r11, r10, r9, r8, ax, cx, dx, si, di, orig_ax;
	unsigned long ip;
	union {
		u16 cs;
		u64 csx;
	};
	unsigned long flags, sp;
};

typedef struct pt_regs bpf_user_pt_regs_t;

struct bpf_perf_event_data {
	bpf_user_pt_regs_t regs;
	u64 sample_period, addr;
};

struct seq_file {
	char *buf;
	size_t size;
};

struct bpf_iter_meta {
	union {
		struct seq_file *seq;
	};
	u64 session_id;
	u64 seq_num;
};

struct bpf_iter__task {
	union {
		struct bpf_iter_meta *meta;
	};
	union {
		struct task_struct *task;
	};
};

struct rq {
	unsigned int nr_running;
};

struct cgroup {
	int level;
};

struct bpf_spin_lock {
	__u32 val;
};

struct bpf_timer {
	__u64 __opaque[2];
} __attribute__((aligned(8)));

struct bpf_rb_root {
	__u64 __opaque[2];
} __attribute__((aligned(8)));

struct bpf_rb_node {
	__u64 __opaque[4];
} __attribute__((aligned(8)));

struct bpf_cgroup_storage_key {
	__u64 cgroup_inode_id;
	__u32 attach_type;
};

struct bpf_sock {
	__u32 bound_dev_if, family;
};

struct bpf_sock_ops {
	__u32 op;
	union {
		__u32 args[4];
		__u32 reply;
	};
	__u32 family, remote_ip4, local_ip4, remote_port, local_port;
	union {
		struct bpf_sock *sk;
		u64 : 64;
	};
};

struct sk_msg_md {
	union {
		void *data;
		u64 : 64;
	};
	__u32 family, remote_ip4, local_ip4;
};

struct __sk_buff {
	__u32 len, pkt_type;
	union {
		struct bpf_sock *sk;
		u64 : 64;
	};
};

#pragma clang attribute pop

#endif
