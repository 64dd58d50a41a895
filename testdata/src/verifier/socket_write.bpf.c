// read-only-memory R0: a program writes a member of a socket.
#include "vmlinux.h"

SEC("cgroup_skb/egress")
int socket_write(struct __sk_buff *skb)
{
	struct bpf_sock *sk = skb->sk;

	if (!sk)
		return 1;
	sk = bpf_sk_fullsock(sk); /* FROM */
	if (!sk)
		return 1;
#ifdef FIX
	return sk->mark != 7;
#else
	sk->mark = 7; /* FAIL */
	return 1;
#endif
}

char LICENSE[] SEC("license") = "GPL";
