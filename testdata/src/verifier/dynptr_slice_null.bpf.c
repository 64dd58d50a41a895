// invalid-mem-access R0: a slice of a packet may be NULL and is read without a check.
#include "vmlinux.h"

SEC("xdp")
int dynptr_slice_null(struct xdp_md *ctx)
{
	struct bpf_dynptr packet;
	struct ethhdr buffer, *eth;

	if (bpf_dynptr_from_xdp(ctx, 0, &packet))
		return XDP_PASS;
	eth = bpf_dynptr_slice(&packet, 0, &buffer, sizeof(buffer)); /* FROM */
#ifdef FIX
	if (!eth)
		return XDP_PASS;
#endif
	return eth->h_proto == bpf_htons(ETH_P_IP) ? XDP_PASS : XDP_DROP; /* FAIL */
}

char LICENSE[] SEC("license") = "GPL";
