// SPDX-License-Identifier: MIT
// A congestion control of TCP as a struct_ops map: a table whose slots are programs,
// which the kernel calls in place of its own functions.
//
// Look at: one variable in .struct_ops.link whose type names what the kernel must have;
// R_BPF_64_ABS64 in .rel.struct_ops.link, one for each slot; members in another order
// than those of network.btf, one of them (`pacing`) that it does not have. The second
// table, in ?.struct_ops, is made only where user space asks for it.
#include "include/bpf_helpers.h"
#include "include/bpf_core.h"

struct sock;

struct tcp_sock {
	__u32 snd_cwnd;
	__u32 snd_ssthresh;
} __core;

struct tcp_congestion_ops {
	void (*init)(struct sock *sk);
	__u32 (*ssthresh)(struct sock *sk);
	void (*cong_avoid)(struct sock *sk, __u32 ack, __u32 acked);
	__u32 (*undo_cwnd)(struct sock *sk);
	char name[16];
	__u32 pacing;
};

// A flavour: the kernel's struct is the same one.
struct tcp_congestion_ops___paced {
	__u32 (*ssthresh)(struct sock *sk);
	void (*cong_avoid)(struct sock *sk, __u32 ack, __u32 acked);
	__u32 (*undo_cwnd)(struct sock *sk);
	char name[16];
	__u32 pacing;
};

__u64 begun;

SEC("struct_ops")
void halve_init(__u64 *ctx)
{
	__sync_fetch_and_add(&begun, 1);
}

SEC("struct_ops")
__u32 halve_ssthresh(__u64 *ctx)
{
	struct tcp_sock *tp = (void *)ctx[0];

	return tp->snd_cwnd > 4 ? tp->snd_cwnd >> 1 : 2;
}

SEC("struct_ops")
void halve_cong_avoid(__u64 *ctx)
{
	struct tcp_sock *tp = (void *)ctx[0];

	tp->snd_cwnd = tp->snd_cwnd + ctx[2];
}

SEC("struct_ops")
__u32 halve_undo_cwnd(__u64 *ctx)
{
	struct tcp_sock *tp = (void *)ctx[0];

	return tp->snd_ssthresh << 1;
}

SEC(".struct_ops.link")
struct tcp_congestion_ops halve = {
	.init = (void *)halve_init,
	.ssthresh = (void *)halve_ssthresh,
	.cong_avoid = (void *)halve_cong_avoid,
	.undo_cwnd = (void *)halve_undo_cwnd,
	.name = "bpf_halve",
};

SEC("?.struct_ops.link")
struct tcp_congestion_ops___paced paced = {
	.ssthresh = (void *)halve_ssthresh,
	.cong_avoid = (void *)halve_cong_avoid,
	.undo_cwnd = (void *)halve_undo_cwnd,
	.name = "bpf_paced",
	.pacing = 1,
};

char LICENSE[] SEC("license") = "GPL";
