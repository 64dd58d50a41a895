// packet-bounds R1: the IP header is read although only the Ethernet header was checked.
#include "vmlinux.h"

SEC("xdp")
int packet_second_header(struct xdp_md *ctx)
{
	void *data_end = (void *)(long)ctx->data_end;
	void *data = (void *)(long)ctx->data; /* FROM */
	struct ethhdr *eth = data;
	struct iphdr *ip;

	if ((void *)(eth + 1) > data_end) /* FROM */
		return XDP_PASS;
	if (eth->h_proto != bpf_htons(ETH_P_IP))
		return XDP_PASS;
	ip = (void *)(eth + 1); /* FROM */
#ifdef FIX
	if ((void *)(ip + 1) > data_end)
		return XDP_PASS;
#endif
	if (ip->protocol == IPPROTO_UDP) /* FAIL */
		return XDP_DROP;
	return XDP_PASS;
}

char LICENSE[] SEC("license") = "GPL";
