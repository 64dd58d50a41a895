// unreleased-reference ref: a looked-up socket is not released on one path.
#include "vmlinux.h"

SEC("tc")
int leak_socket(struct __sk_buff *skb)
{
	struct bpf_sock_tuple tuple = {};
	struct bpf_sock *sk;

	tuple.ipv4.dport = bpf_htons(80);
	sk = bpf_sk_lookup_udp(skb, &tuple, sizeof(tuple.ipv4), BPF_F_CURRENT_NETNS, 0); /* FROM */
	if (!sk)
		return 0;
	if (sk->mark == 7) {
#ifdef FIX
		bpf_sk_release(sk);
#endif
		return 2; /* FAIL */
	}
	bpf_sk_release(sk);
	return 0;
} /* EXIT */

char LICENSE[] SEC("license") = "GPL";
