// SPDX-License-Identifier: MIT
// Types of a small kernel that exists in three versions (VERSION 1, 2, 3). The
// names are those of Linux, because queries and examples use them; the members are
// a choice of the real ones in an order of their own. What changes between the
// versions is what CO-RE programs have to cope with: members that move, change
// their name or size, become bit-fields, or disappear, and enum values that shift.
#ifndef TESTDATA_VMLINUX_H
#define TESTDATA_VMLINUX_H

typedef signed char s8;
typedef unsigned char u8;
typedef short s16;
typedef unsigned short u16;
typedef int s32;
typedef unsigned int u32;
typedef long long s64;
typedef unsigned long long u64;
typedef u16 __be16;
typedef u32 __be32;
typedef _Bool bool;
typedef int pid_t;
typedef unsigned int gfp_t;
typedef unsigned short umode_t;
typedef unsigned int dev_t;
typedef long long loff_t;
typedef long long time64_t;
typedef unsigned long size_t;
typedef __builtin_va_list va_list;

typedef struct {
	int counter;
} atomic_t;

typedef struct {
	s64 counter;
} atomic64_t;

typedef struct refcount_struct {
	atomic_t refs;
} refcount_t;

typedef struct {
	unsigned int val;
} kuid_t;

typedef struct {
	unsigned int val;
} kgid_t;

typedef struct {
	struct net *net;
} possible_net_t;

struct list_head {
	struct list_head *next, *prev;
};

struct hlist_node {
	struct hlist_node *next, **pprev;
};

struct hlist_head {
	struct hlist_node *first;
};

struct rb_node {
	unsigned long __rb_parent_color;
	struct rb_node *rb_right;
	struct rb_node *rb_left;
} __attribute__((aligned(sizeof(long))));

struct callback_head {
	struct callback_head *next;
	void (*func)(struct callback_head *head);
} __attribute__((aligned(sizeof(void *))));

typedef struct raw_spinlock {
	u32 raw_lock;
} raw_spinlock_t;

typedef struct spinlock {
	union {
		struct raw_spinlock rlock;
	};
} spinlock_t;

struct timespec64 {
	time64_t tv_sec;
	long tv_nsec;
};

union rcu_special {
	struct {
		u8 blocked;
		u8 need_qs;
		u8 exp_hint;
		u8 need_mb;
	} b;
	u32 s;
};

struct siginfo {
	union {
		struct {
			int si_signo;
			int si_errno;
			int si_code;
			union {
				struct {
					pid_t _pid;
					u32 _uid;
				} _kill;
				struct {
					void *_addr;
					union {
						int _trapno;
						short _addr_lsb;
					};
				} _sigfault;
			} _sifields;
		};
		int _si_pad[32];
	};
};
typedef struct siginfo siginfo_t;

enum pid_type {
	PIDTYPE_PID,
	PIDTYPE_TGID,
#if VERSION >= 2
	PIDTYPE_PIDFD,
#endif
	PIDTYPE_PGID,
	PIDTYPE_SID,
	PIDTYPE_MAX,
};

enum bpf_prog_type {
	BPF_PROG_TYPE_UNSPEC,
	BPF_PROG_TYPE_SOCKET_FILTER,
	BPF_PROG_TYPE_KPROBE,
	BPF_PROG_TYPE_SCHED_CLS,
	BPF_PROG_TYPE_SCHED_ACT,
	BPF_PROG_TYPE_TRACEPOINT,
	BPF_PROG_TYPE_XDP,
};

// Wider than 32 bits from version 2 on.
enum scx_flags {
	SCX_FLAG_FIRST = 1,
	SCX_FLAG_LOCAL = 2,
#if VERSION >= 2
	SCX_FLAG_BUILTIN = 1ULL << 63,
#endif
};

enum tcp_state { TCP_ESTABLISHED = 1, TCP_SYN_SENT, TCP_CLOSE = 7 + VERSION };

enum signed_level { LEVEL_BELOW = -VERSION, LEVEL_ZERO, LEVEL_ABOVE };

enum bpf_cgroup_storage_type {
	BPF_CGROUP_STORAGE_SHARED,
	BPF_CGROUP_STORAGE_PERCPU,
	__BPF_CGROUP_STORAGE_MAX
};

struct cgroup_subsys_state {
	struct cgroup *cgroup;
	struct list_head sibling;
	u64 serial_nr;
};

struct cgroup {
	struct cgroup_subsys_state self;
	unsigned long flags;
	int level;
	struct cgroup *ancestors[VERSION + 2];
};

struct css_set {
	struct cgroup_subsys_state *subsys[14];
	refcount_t refcount;
	struct cgroup *dfl_cgrp;
	struct list_head tasks;
};

struct pid_namespace {
	int level;
	struct pid_namespace *parent;
};

struct upid {
	int nr;
	struct pid_namespace *ns;
};

struct pid {
	refcount_t count;
	unsigned int level;
	spinlock_t lock;
	struct hlist_head tasks[PIDTYPE_MAX];
	struct callback_head rcu;
	struct upid numbers[];
};

struct cred {
	refcount_t usage;
	kuid_t uid;
	kgid_t gid;
	kuid_t suid;
	kuid_t euid;
	unsigned int securebits;
	union {
		int non_rcu;
		struct callback_head rcu;
	};
};

typedef struct {
	unsigned long pgd;
} pgd_t;

struct mm_struct {
	struct {
		struct {
			atomic_t mm_count;
		} __attribute__((aligned(64)));
		unsigned long task_size;
		pgd_t *pgd;
		atomic_t mm_users;
		int map_count;
		unsigned long total_vm;
		unsigned long locked_vm;
		unsigned long start_code, end_code, start_data, end_data;
		unsigned long arg_start, arg_end, env_start, env_end;
		struct file *exe_file;
	};
	unsigned long cpu_bitmap[];
};

struct vm_area_struct {
	unsigned long vm_start;
	unsigned long vm_end;
	struct mm_struct *vm_mm;
#if VERSION == 1
	unsigned long vm_flags;
#else
	union {
		const unsigned long vm_flags;
		unsigned long __vm_flags;
	};
#endif
	struct {
		struct rb_node rb;
		unsigned long rb_subtree_last;
	} shared;
	const struct vm_operations_struct *vm_ops;
	unsigned long vm_pgoff;
	struct file *vm_file;
	void *vm_private_data;
};

struct vm_operations_struct {
	void (*open)(struct vm_area_struct *area);
	void (*close)(struct vm_area_struct *area);
	int (*mprotect)(struct vm_area_struct *area, unsigned long start, unsigned long end);
	const char *(*name)(struct vm_area_struct *area);
};

struct load_weight {
	unsigned long weight;
	u32 inv_weight;
};

struct sched_entity {
	struct load_weight load;
	struct rb_node run_node;
	u64 deadline;
	struct list_head group_node;
	unsigned int on_rq;
	u64 exec_start;
	u64 sum_exec_runtime;
	u64 vruntime;
	u64 prev_sum_exec_runtime;
#if VERSION >= 2
	s64 vlag;
	u64 slice;
#endif
};

struct files_struct {
	atomic_t count;
	bool resize_in_progress;
	unsigned int next_fd;
	struct file *fd_array[8];
};

struct tty_struct {
	int index;
	char name[64];
	struct pid *session;
	u8 stopped : 1;
	u8 flow : 1;
	unsigned long flags;
};

struct signal_struct {
	refcount_t sigcnt;
	atomic_t live;
	int group_exit_code;
	struct pid *pids[PIDTYPE_MAX];
	struct tty_struct *tty;
	u64 utime, stime;
	unsigned long nvcsw;
	char comm_hint[7];
	int leader;
};

struct net;

struct nsproxy {
	refcount_t count;
	struct pid_namespace *pid_ns_for_children;
	struct net *net_ns;
};

struct thread_info {
	unsigned long flags;
	u32 cpu;
};

struct task_struct {
	struct thread_info thread_info;
#if VERSION == 1
	volatile long state;
#else
	unsigned int __state;
#endif
	void *stack;
	refcount_t usage;
	unsigned int flags;
	int on_cpu;
	int prio;
	int static_prio;
	struct sched_entity se;
	struct list_head tasks;
	struct mm_struct *mm;
	struct mm_struct *active_mm;
	int exit_state;
	int exit_code;
	unsigned int jobctl;
	unsigned int sched_reset_on_fork : 1;
	unsigned int sched_contributes_to_load : 1;
	unsigned int : 0;
	unsigned int in_execve : 1;
#if VERSION >= 3
	unsigned int sched_migrated : 3;
#endif
	unsigned int in_iowait : 1;
	unsigned long atomic_flags;
	union rcu_special rcu_read_unlock_special;
	pid_t pid;
	pid_t tgid;
	struct task_struct *real_parent;
	struct task_struct *parent;
	struct list_head children;
	struct task_struct *group_leader;
	struct pid *thread_pid;
	const struct cred *real_cred;
	const struct cred *cred;
	char comm[16];
	struct files_struct *files;
	struct nsproxy *nsproxy;
	struct signal_struct *signal;
	struct css_set *cgroups;
	u64 start_time;
	s8 oom_score;
	u64 utime;
	u16 cpu_hint;
	struct {
		unsigned long bits[1];
	} cpus_mask;
	int trace_recursion;
};

struct super_block {
	struct list_head s_list;
	dev_t s_dev;
	unsigned char s_blocksize_bits;
	unsigned long s_blocksize;
	loff_t s_maxbytes;
	const char *s_type_name;
	char s_id[32];
};

struct inode {
	umode_t i_mode;
	unsigned short i_opflags;
	kuid_t i_uid;
	kgid_t i_gid;
	unsigned int i_flags;
	const struct inode_operations *i_op;
	struct super_block *i_sb;
	unsigned long i_ino;
	union {
		const unsigned int i_nlink;
		unsigned int __i_nlink;
	};
	dev_t i_rdev;
	loff_t i_size;
#if VERSION <= 1
	struct timespec64 i_atime;
	struct timespec64 i_mtime;
#elif VERSION == 2
	struct timespec64 __i_atime;
	struct timespec64 __i_mtime;
#else
	time64_t i_atime_sec;
	time64_t i_mtime_sec;
	u32 i_atime_nsec;
	u32 i_mtime_nsec;
#endif
	spinlock_t i_lock;
	struct hlist_node i_hash;
};

struct dentry {
	unsigned int d_flags;
	struct hlist_node d_hash;
	struct dentry *d_parent;
	struct inode *d_inode;
	unsigned char d_iname[40];
};

struct path {
	struct dentry *dentry;
	void *mnt;
};

struct file {
	unsigned int f_mode;
	unsigned int f_flags;
	struct path f_path;
	struct inode *f_inode;
	loff_t f_pos;
	const struct cred *f_cred;
};

struct inode_operations {
	struct dentry *(*lookup)(struct inode *dir, struct dentry *dentry, unsigned int flags);
	int (*permission)(struct inode *inode, int mask);
	int (*mkdir)(struct inode *dir, struct dentry *dentry, umode_t mode);
	int (*rename)(struct inode *from, struct dentry *a, struct inode *to, struct dentry *b,
		      unsigned int flags);
};

struct in6_addr {
	union {
		u8 u6_addr8[16];
		__be16 u6_addr16[8];
		__be32 u6_addr32[4];
	} in6_u;
};

struct sock_common {
	union {
		u64 skc_addrpair;
		struct {
			__be32 skc_daddr;
			__be32 skc_rcv_saddr;
		};
	};
	union {
		u32 skc_portpair;
		struct {
			__be16 skc_dport;
			u16 skc_num;
		};
	};
	unsigned short skc_family;
	volatile unsigned char skc_state;
	unsigned char skc_reuse : 4;
	unsigned char skc_reuseport : 1;
	unsigned char skc_ipv6only : 1;
	int skc_bound_dev_if;
	possible_net_t skc_net;
	struct in6_addr skc_v6_daddr;
};

struct sock {
	struct sock_common __sk_common;
	spinlock_t sk_lock;
	int sk_rcvbuf;
	int sk_sndbuf;
	unsigned int sk_padding : 1, sk_kern_sock : 1, sk_no_check_tx : 1, sk_userlocks : 4;
	u16 sk_type;
	u16 sk_protocol;
	u32 sk_mark;
	void *sk_user_data;
};

struct inet_sock {
	struct sock sk;
	__be32 inet_saddr;
	__be16 inet_sport;
	u16 inet_id;
	u8 tos;
};

struct inet_connection_sock {
	struct inet_sock icsk_inet;
	unsigned long icsk_timeout;
	u32 icsk_rto;
	u8 icsk_ca_state : 5, icsk_ca_initialized : 1;
	u64 icsk_ca_priv[13];
};

struct tcp_sock {
	struct inet_connection_sock inet_conn;
	u16 tcp_header_len;
	u32 snd_nxt;
	u32 snd_cwnd;
	u32 srtt_us;
	u64 bytes_received;
	struct rb_node *out_of_order_queue;
};

struct net_device_stats {
	unsigned long rx_packets, tx_packets, rx_bytes, tx_bytes;
};

struct net_device {
	char name[16];
	unsigned long mem_end;
	unsigned int flags;
	const struct net_device_ops *netdev_ops;
	int ifindex;
	unsigned int mtu;
	unsigned short type;
	unsigned char perm_addr[32];
	struct hlist_node index_hlist;
	struct list_head dev_list;
	struct net_device_stats stats;
	possible_net_t nd_net;
	u8 threaded : 1;
};

struct net {
	refcount_t passive;
	unsigned int ifindex;
	struct list_head dev_base_head;
	struct hlist_head *dev_index_head;
	struct net_device *loopback_dev;
	u64 net_cookie;
};

struct sk_buff {
	union {
		struct {
			struct sk_buff *next;
			struct sk_buff *prev;
			union {
				struct net_device *dev;
				unsigned long dev_scratch;
			};
		};
		struct rb_node rbnode;
		struct list_head list;
	};
	struct sock *sk;
	union {
		u64 tstamp;
		u64 skb_mstamp_ns;
	};
	char cb[48] __attribute__((aligned(8)));
	unsigned int len;
	unsigned int data_len;
	u16 mac_len;
	u16 hdr_len;
	u8 cloned : 1, nohdr : 1, fclone : 2, peeked : 1, head_frag : 1, pfmemalloc : 1;
#if VERSION >= 2
	u8 pp_recycle : 1;
#endif
	union {
		struct {
			u8 __pkt_type_offset[0];
			u8 pkt_type : 3;
			u8 ignore_df : 1;
			__be16 protocol;
			u32 mark;
		};
		struct {
			u8 __pkt_type_offset[0];
			u8 pkt_type : 3;
			u8 ignore_df : 1;
			__be16 protocol;
			u32 mark;
		} headers;
	};
	u16 transport_header;
	u16 network_header;
	unsigned char *head, *data;
	unsigned int truesize;
	refcount_t users;
};

struct net_device_ops {
	int (*ndo_open)(struct net_device *dev);
	int (*ndo_stop)(struct net_device *dev);
	int (*ndo_start_xmit)(struct sk_buff *skb, struct net_device *dev);
};

struct bpf_map_ops;

struct bpf_map {
	const struct bpf_map_ops *ops;
	struct bpf_map *inner_map_meta;
	u32 map_type;
	u32 key_size;
	u32 value_size;
	u32 max_entries;
	char name[16];
	atomic64_t refcnt;
};

struct bpf_prog_aux {
	atomic64_t refcnt;
	u32 used_map_cnt;
	u32 id;
	struct bpf_map **used_maps;
	const char *attach_func_name;
	struct bpf_map *cgroup_storage[__BPF_CGROUP_STORAGE_MAX];
	char name[16];
	u64 load_time;
};

struct bpf_insn {
	u8 code;
	u8 dst_reg : 4;
	u8 src_reg : 4;
	s16 off;
	s32 imm;
};

struct bpf_prog {
	u16 pages;
	u16 jited : 1, jit_requested : 1, gpl_compatible : 1, cb_access : 1;
	enum bpf_prog_type type;
	u32 len;
	u8 tag[8];
	struct bpf_prog_aux *aux;
	unsigned int (*bpf_func)(const void *ctx, const struct bpf_insn *insn);
	struct bpf_insn insnsi[];
};

struct gendisk {
	int major;
	int first_minor;
	char disk_name[32];
	struct request_queue *queue;
};

struct request_queue {
	struct gendisk *disk;
	unsigned long queue_flags;
	unsigned int nr_requests;
	u8 quiesced;
	u64 id;
};

struct block_device {
	u64 bd_start_sect;
	u64 bd_nr_sectors;
	struct gendisk *bd_disk;
	dev_t bd_dev;
	bool bd_read_only;
};

struct bio {
	struct bio *bi_next;
	struct block_device *bi_bdev;
	unsigned int bi_opf;
	unsigned short bi_flags;
	u8 bi_status;
	u64 bi_iter_sector;
	unsigned short bi_vcnt;
	void *bi_private;
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

// Members with odd sizes of bit-field, whose places change in each version.
struct packed_bits {
	u8 version : VERSION + 2;
	u16 ttl : 9;
	u32 wide : 20 + VERSION;
	s64 deep : 33;
	bool on : 1;
} __attribute__((packed));

#if VERSION >= 2
// Two types of one name: CO-RE has more than one candidate and they disagree.
struct twin_holder {
	u32 before;
	struct twin {
		u32 one;
		u64 two;
	} inner;
};
#else
struct twin {
	u32 one;
	u64 two;
};
#endif

struct gone_later {
#if VERSION == 1
	u32 only_first;
#endif
	u32 always;
#if VERSION == 3
	u64 resized;
#else
	u32 resized;
#endif
	u32 array[VERSION + 1];
};

#if VERSION != 2
struct missing_in_second {
	int field;
};
#endif

#endif
