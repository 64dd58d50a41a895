// packet-bounds R2: the Ethernet header is read without a check against data_end.
#include "vmlinux.h"

SEC("xdp")
int packet_no_check(struct xdp_md *ctx)
{
	void *data_end = (void *)(long)ctx->data_end;
	void *data = (void *)(long)ctx->data; /* FROM */
	struct ethhdr *eth = data;
#ifdef FIX
	if ((void *)(eth + 1) > data_end)
		return XDP_PASS;
#endif
	if (eth->h_proto == bpf_htons(ETH_P_8021Q)) /* FAIL */
		return XDP_DROP;
	return data < data_end ? XDP_PASS : XDP_DROP;
}

char LICENSE[] SEC("license") = "GPL";
