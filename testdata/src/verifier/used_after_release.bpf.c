// invalid-mem-access R6: a socket is read after its release.
#include "vmlinux.h"

SEC("tc")
int used_after_release(struct __sk_buff *skb)
{
	struct bpf_sock_tuple tuple = {};
	struct bpf_sock *sk;

	tuple.ipv4.dport = bpf_htons(80);
	sk = bpf_sk_lookup_tcp(skb, &tuple, sizeof(tuple.ipv4), BPF_F_CURRENT_NETNS, 0);
	if (!sk)
		return 0;
#ifdef FIX
	__u32 mark = sk->mark;

	bpf_sk_release(sk);
	return mark == 7;
#else
	bpf_sk_release(sk); /* FROM */
	return sk->mark == 7; /* FAIL */
#endif
}

char LICENSE[] SEC("license") = "GPL";
