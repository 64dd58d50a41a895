// btf-pointer-write R1: a congestion control writes a member that it may not.
#include "vmlinux.h"

SEC("struct_ops")
__u32 BPF_PROG(struct_ops_write, struct sock *sk)
{
	struct tcp_sock *tp = (struct tcp_sock *)sk; /* FROM */

#ifdef FIX
	tp->snd_ssthresh = 10;
#else
	tp->snd_nxt = 10; /* FAIL FROM */
#endif
	return 2;
}

SEC("struct_ops")
void BPF_PROG(cong_avoid, struct sock *sk, __u32 ack, __u32 acked)
{
}

SEC("struct_ops")
__u32 BPF_PROG(undo_cwnd, struct sock *sk)
{
	return 2;
}

SEC(".struct_ops")
struct tcp_congestion_ops our_control = {
	.ssthresh = (void *)struct_ops_write,
	.cong_avoid = (void *)cong_avoid,
	.undo_cwnd = (void *)undo_cwnd,
	.name = "bpf_our_control",
};

char LICENSE[] SEC("license") = "GPL";
