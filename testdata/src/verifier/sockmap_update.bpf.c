// map-func-compat R1: a program of a cgroup updates a map of sockets.
#include "vmlinux.h"

struct {
	__uint(type, BPF_MAP_TYPE_SOCKMAP);
	__uint(max_entries, 8);
	__type(key, __u32);
	__type(value, __u64);
} sockets SEC(".maps");

SEC("cgroup_skb/egress")
int sockmap_update(struct __sk_buff *skb)
{
	__u32 key = 0;
	struct bpf_sock *sk = skb->sk;

	if (!sk)
		return 1;
#ifndef FIX
	bpf_map_update_elem(&sockets, &key, sk, 0); /* FAIL FROM */
#endif
	return 1;
}

char LICENSE[] SEC("license") = "GPL";
