/* SPDX-License-Identifier: MIT */
/* The kernel types, kernel functions and macros that the programs in this folder use: a choice. */
#ifndef __VMLINUX_H__
#define __VMLINUX_H__

#include <linux/bpf.h>
#include <stdbool.h>
#include <bpf/bpf_helpers.h>
#include <bpf/bpf_endian.h>
#include <bpf/bpf_tracing.h>
#include <bpf/bpf_core_read.h>

#define NULL ((void *)0)
#define ETH_P_IP 0x0800
#define ETH_P_8021Q 0x8100
#define IPPROTO_TCP 6
#define IPPROTO_UDP 17

struct ethhdr {
	__u8 h_dest[6], h_source[6];
	__be16 h_proto;
} __attribute__((packed));

struct vlanhdr {
	__be16 tci, proto;
};

struct iphdr {
	__u8 ihl : 4, version : 4;
	__u8 tos;
	__be16 tot_len, id, frag_off;
	__u8 ttl, protocol;
	__u16 check;
	__be32 saddr, daddr;
};

struct tcphdr {
	__be16 source, dest;
	__be32 seq, ack_seq;
	__u16 flags, window, check, urg_ptr;
};

struct udphdr {
	__be16 source, dest, len, check;
};

#pragma clang attribute push(__attribute__((preserve_access_index)), apply_to = record)

typedef struct {
	int counter;
} atomic_t;

typedef struct {
	atomic_t refs;
} refcount_t;

struct mm_struct {
	unsigned long total_vm;
};

struct cred {
	unsigned int uid;
};

struct task_struct {
	unsigned int flags;
	int prio;
	int pid;
	int tgid;
	refcount_t rcu_users;
	char comm[16];
	struct task_struct *real_parent;
	struct task_struct *group_leader;
	struct task_struct *last_wakee;
	const struct cred *cred;
	struct mm_struct *mm;
};

struct sock_common {
	unsigned short skc_family;
	volatile unsigned char skc_state;
};

struct sock {
	struct sock_common __sk_common;
};

struct inet_connection_sock {
	struct sock icsk_inet;
};

struct tcp_sock {
	struct inet_connection_sock inet_conn;
	__u32 snd_cwnd;
	__u32 snd_nxt;
	__u32 snd_ssthresh;
};

struct tcp_congestion_ops {
	__u32 (*ssthresh)(struct sock *sk);
	void (*cong_avoid)(struct sock *sk, __u32 ack, __u32 acked);
	__u32 (*undo_cwnd)(struct sock *sk);
	char name[16];
};

struct cgroup {
	int level;
};

struct cpumask {
	unsigned long bits[1];
};

struct bpf_cpumask {
	struct cpumask cpumask;
};

struct sk_buff {
	unsigned int len;
};

struct seq_file {
	unsigned long size;
};

struct bpf_iter_meta {
	struct seq_file *seq;
	__u64 session_id, seq_num;
};

struct bpf_iter__task {
	struct bpf_iter_meta *meta;
	struct task_struct *task;
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
};

#pragma clang attribute pop

/* Newer than some <linux/bpf.h>. */
struct bpf_iter_num___our {
	__u64 __opaque[1];
} __attribute__((aligned(8)));
#define bpf_iter_num bpf_iter_num___our
struct bpf_iter_task___our {
	__u64 __opaque[3];
} __attribute__((aligned(8)));
#define bpf_iter_task bpf_iter_task___our
struct bpf_list_head {
	__u64 : 64;
	__u64 : 64;
} __attribute__((aligned(8)));
struct bpf_list_node {
	__u64 __opaque[3];
} __attribute__((aligned(8)));
struct bpf_rb_root {
	__u64 : 64;
	__u64 : 64;
} __attribute__((aligned(8)));
struct bpf_rb_node {
	__u64 __opaque[4];
} __attribute__((aligned(8)));
struct bpf_refcount {
	__u32 : 32;
} __attribute__((aligned(4)));
struct bpf_wq {
	__u64 __opaque[2];
} __attribute__((aligned(8)));

#define __contains(name, node) __attribute__((btf_decl_tag("contains:" #name ":" #node)))
#define private(name) SEC(".data." #name) __hidden __attribute__((aligned(8)))
#define __naked __attribute__((naked))

struct task_struct *bpf_task_acquire(struct task_struct *p) __ksym;
struct task_struct *bpf_task_from_pid(int pid) __ksym;
void bpf_task_release(struct task_struct *p) __ksym;
struct cgroup *bpf_cgroup_from_id(__u64 id) __ksym;
void bpf_cgroup_release(struct cgroup *cgroup) __ksym;
struct bpf_cpumask *bpf_cpumask_create(void) __ksym;
void bpf_cpumask_release(struct bpf_cpumask *mask) __ksym;
void bpf_cpumask_set_cpu(unsigned int cpu, struct bpf_cpumask *mask) __ksym;
void bpf_rcu_read_lock(void) __ksym;
void bpf_rcu_read_unlock(void) __ksym;
void bpf_preempt_disable(void) __ksym;
void bpf_preempt_enable(void) __ksym;
void bpf_local_irq_save(unsigned long *flags) __ksym;
void bpf_local_irq_restore(unsigned long *flags) __ksym;
int bpf_iter_num_new(struct bpf_iter_num *it, int start, int end) __ksym;
int *bpf_iter_num_next(struct bpf_iter_num *it) __ksym;
void bpf_iter_num_destroy(struct bpf_iter_num *it) __ksym;
int bpf_dynptr_from_xdp(struct xdp_md *xdp, __u64 flags, struct bpf_dynptr *ptr) __ksym;
void *bpf_dynptr_slice(const struct bpf_dynptr *ptr, __u32 offset, void *buffer, __u32 buffer__szk) __ksym;
void *bpf_obj_new_impl(__u64 local_type_id, void *meta) __ksym;
void bpf_obj_drop_impl(void *object, void *meta) __ksym;
int bpf_list_push_front_impl(struct bpf_list_head *head, struct bpf_list_node *node, void *meta, __u64 offset) __ksym;
struct bpf_list_node *bpf_list_pop_front(struct bpf_list_head *head) __ksym;
int bpf_rbtree_add_impl(struct bpf_rb_root *root, struct bpf_rb_node *node,
			bool(less)(struct bpf_rb_node *a, const struct bpf_rb_node *b), void *meta,
			__u64 offset) __ksym;
struct bpf_rb_node *bpf_rbtree_first(struct bpf_rb_root *root) __ksym;
struct bpf_rb_node *bpf_rbtree_remove(struct bpf_rb_root *root, struct bpf_rb_node *node) __ksym;
#define bpf_obj_new(type) ((type *)bpf_obj_new_impl(bpf_core_type_id_local(type), NULL))
#define bpf_obj_drop(object) bpf_obj_drop_impl(object, NULL)
#define bpf_list_push_front(head, node) bpf_list_push_front_impl(head, node, NULL, 0)
#define bpf_rbtree_add(root, node, less) bpf_rbtree_add_impl(root, node, less, NULL, 0)

#endif
