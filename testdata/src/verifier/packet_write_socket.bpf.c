// read-only-memory R1: a socket filter writes into the packet.
#include "vmlinux.h"

SEC("cgroup_skb/egress")
int packet_write_socket(struct __sk_buff *skb)
{
	void *data_end = (void *)(long)skb->data_end;
	struct iphdr *ip = (void *)(long)skb->data; /* FROM */

	if ((void *)(ip + 1) > data_end)
		return 1;
#ifdef FIX
	return ip->ttl > 1;
#else
	ip->ttl = 64; /* FAIL */
	return 1;
#endif
}

char LICENSE[] SEC("license") = "GPL";
