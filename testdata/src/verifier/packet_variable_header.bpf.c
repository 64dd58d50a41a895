// packet-bounds R1: the UDP header after an IP header of variable length is not checked.
#include "vmlinux.h"

SEC("tc")
int packet_variable_header(struct __sk_buff *skb)
{
	void *data_end = (void *)(long)skb->data_end;
	void *data = (void *)(long)skb->data;
	struct ethhdr *eth = data;
	struct iphdr *ip = data + sizeof(*eth);
	struct udphdr *udp;

	if ((void *)(ip + 1) > data_end)
		return 0;
	udp = (void *)ip + ip->ihl * 4; /* FROM */
#ifdef FIX
	if ((void *)(udp + 1) > data_end)
		return 0;
#endif
	if (udp->dest == bpf_htons(53)) /* FAIL */
		return 2;
	return 0;
}

char LICENSE[] SEC("license") = "GPL";
