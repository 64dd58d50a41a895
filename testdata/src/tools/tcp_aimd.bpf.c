// SPDX-License-Identifier: MIT
#include "vmlinux.h"
#include <bpf/bpf_helpers.h>
#include <bpf/bpf_core_read.h>
#include <bpf/bpf_tracing.h>

#define min(a, b) ((a) < (b) ? (a) : (b))
#define max(a, b) ((a) > (b) ? (a) : (b))
#define TCP_INFINITE_SSTHRESH 0x7fffffff

extern __u32 tcp_slow_start(struct tcp_sock *tp, __u32 acked) __ksym;
extern void tcp_cong_avoid_ai(struct tcp_sock *tp, __u32 w, __u32 acked) __ksym;
extern __u32 tcp_reno_undo_cwnd(struct sock *sk) __ksym __weak;

struct aimd {
	__u32 last_max_cwnd;
	__u32 epoch_start;
	__u8 started : 1, found : 1, : 0;
	__u32 ack_cnt;
};

static inline struct tcp_sock *tcp_sk(const struct sock *sk)
{
	return (struct tcp_sock *)sk;
}

static __always_inline void *inet_csk_ca(const struct sock *sk)
{
	return (void *)((struct inet_connection_sock *)sk)->icsk_ca_priv;
}

SEC("struct_ops")
void BPF_PROG(aimd_init, struct sock *sk)
{
	struct aimd *ca = inet_csk_ca(sk);

	ca->epoch_start = 0;
	ca->last_max_cwnd = 0;
}

SEC("struct_ops")
__u32 BPF_PROG(aimd_ssthresh, struct sock *sk)
{
	return max(tcp_sk(sk)->snd_cwnd >> 1U, 2U);
}

SEC("struct_ops")
void BPF_PROG(aimd_cong_avoid, struct sock *sk, __u32 ack, __u32 acked)
{
	struct tcp_sock *tp = tcp_sk(sk);

	if (tp->snd_cwnd < tp->snd_ssthresh) {
		acked = tcp_slow_start(tp, acked);
		if (!acked)
			return;
	}
	tcp_cong_avoid_ai(tp, tp->snd_cwnd, acked);
}

SEC("struct_ops")
__u32 BPF_PROG(aimd_undo_cwnd, struct sock *sk)
{
	return tcp_reno_undo_cwnd ? tcp_reno_undo_cwnd(sk) : TCP_INFINITE_SSTHRESH;
}

SEC(".struct_ops.link")
struct tcp_congestion_ops aimd = {
	.init = (void *)aimd_init,
	.ssthresh = (void *)aimd_ssthresh,
	.cong_avoid = (void *)aimd_cong_avoid,
	.undo_cwnd = (void *)aimd_undo_cwnd,
	.name = "bpf_aimd",
};

char _license[] SEC("license") = "GPL";
