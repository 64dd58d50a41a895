// invalid-mem-access R0: a looked-up socket is read without a check for NULL.
#include "vmlinux.h"

SEC("tc")
int null_sk_lookup(struct __sk_buff *skb)
{
	struct bpf_sock_tuple tuple = {};
	struct bpf_sock *sk;
	__u32 state;

	tuple.ipv4.dport = bpf_htons(443);
	sk = bpf_sk_lookup_tcp(skb, &tuple, sizeof(tuple.ipv4), BPF_F_CURRENT_NETNS, 0); /* FROM */
#ifdef FIX
	if (!sk)
		return 0;
#endif
	state = sk->state; /* FAIL */
	bpf_sk_release(sk);
	return state == BPF_TCP_ESTABLISHED;
}

char LICENSE[] SEC("license") = "GPL";
