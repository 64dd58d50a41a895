// unreleased-reference ref: a socket that was found in a map of sockets is not released.
#include "vmlinux.h"

struct {
	__uint(type, BPF_MAP_TYPE_SOCKMAP);
	__uint(max_entries, 4);
	__type(key, __u32);
	__type(value, __u64);
} sockets SEC(".maps");

SEC("tc")
int leak_sockmap(struct __sk_buff *skb)
{
	__u32 key = skb->mark & 3;
	struct bpf_sock *sk = bpf_map_lookup_elem(&sockets, &key); /* FROM */
	int family;

	if (!sk)
		return 0;
	family = sk->family;
#ifdef FIX
	bpf_sk_release(sk);
#endif
	return family;
} /* EXIT */

char LICENSE[] SEC("license") = "GPL";
