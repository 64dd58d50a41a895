#include "vmlinux.h"
#include <bpf/bpf_helpers.h>
#include <bpf/bpf_tracing.h>

struct sock;
#define CA_NAME_MAX 16
struct tcp_congestion_ops {
	__u32 (*ssthresh)(struct sock *sk);
	void (*cong_avoid)(struct sock *sk, __u32 ack, __u32 acked);
	int flags;
	char name[CA_NAME_MAX];
};

SEC("struct_ops/ssthresh")
__u32 BPF_PROG(my_ssthresh, struct sock *sk)
{
	return 2;
}

SEC("struct_ops")
void BPF_PROG(my_cong_avoid, struct sock *sk, __u32 ack, __u32 acked)
{
}

SEC(".struct_ops.link")
struct tcp_congestion_ops mine = {
	.ssthresh = (void *)my_ssthresh,
	.cong_avoid = (void *)my_cong_avoid,
	.name = "bpf_mine",
};

char _license[] SEC("license") = "GPL";
