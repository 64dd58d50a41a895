// SPDX-License-Identifier: MIT
// A toy kernel with TCP, for its types only: what congestion.bpf.o is loaded on. Its
// BTF is written by pahole. Names are those of Linux on x86-64, members a few of the
// real ones.
//
// Look at: struct bpf_struct_ops_tcp_congestion_ops, which wraps the struct that a
// struct_ops map fills; `pacing` is not in there.
typedef unsigned char u8;
typedef unsigned short u16;
typedef unsigned int u32;
typedef int s32;
typedef unsigned long long u64;

struct list_head {
	struct list_head *next, *prev;
};

struct module;
struct rate_sample;

struct sock {
	u16 sk_family;
	volatile u8 sk_state;
	int sk_sndbuf;
	unsigned long sk_pacing_rate;
};

struct tcp_sock {
	struct sock sk;
	u32 snd_una;
	u32 snd_ssthresh;
	u32 snd_cwnd;
	u32 snd_cwnd_cnt;
};

struct tcp_congestion_ops {
	u32 (*ssthresh)(struct sock *sk);
	void (*cong_avoid)(struct sock *sk, u32 ack, u32 acked);
	void (*set_state)(struct sock *sk, u8 new_state);
	void (*cong_control)(struct sock *sk, u32 ack, int flag, const struct rate_sample *rs);
	u32 (*undo_cwnd)(struct sock *sk);
	char name[16];
	struct module *owner;
	struct list_head list;
	u32 key;
	u32 flags;
	void (*init)(struct sock *sk);
	void (*release)(struct sock *sk);
} __attribute__((aligned(64)));

typedef struct {
	int counter;
} atomic_t;

typedef struct refcount_struct {
	atomic_t refs;
} refcount_t;

enum bpf_struct_ops_state {
	BPF_STRUCT_OPS_STATE_INIT,
	BPF_STRUCT_OPS_STATE_INUSE,
	BPF_STRUCT_OPS_STATE_TOBEFREE,
	BPF_STRUCT_OPS_STATE_READY,
};

struct bpf_struct_ops_common_value {
	refcount_t refcnt;
	enum bpf_struct_ops_state state;
};

struct bpf_struct_ops_tcp_congestion_ops {
	struct bpf_struct_ops_common_value common;
	struct tcp_congestion_ops data __attribute__((aligned(64)));
};

struct bpf_struct_ops_tcp_congestion_ops registered;

u32 tcp_reno_ssthresh(struct sock *sk)
{
	const struct tcp_sock *tp = (struct tcp_sock *)sk;

	return tp->snd_cwnd > 4 ? tp->snd_cwnd >> 1 : 2;
}

void tcp_reno_cong_avoid(struct sock *sk, u32 ack, u32 acked)
{
	struct tcp_sock *tp = (struct tcp_sock *)sk;

	if (ack != tp->snd_una)
		tp->snd_cwnd += acked;
}

u32 tcp_reno_undo_cwnd(struct sock *sk)
{
	const struct tcp_sock *tp = (struct tcp_sock *)sk;

	return tp->snd_ssthresh << 1;
}

int tcp_register_congestion_control(struct tcp_congestion_ops *type)
{
	registered.data.ssthresh = type->ssthresh;
	registered.common.state = BPF_STRUCT_OPS_STATE_INUSE;
	return 0;
}
