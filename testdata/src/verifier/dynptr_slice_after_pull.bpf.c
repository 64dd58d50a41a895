// invalid-mem-access R8: a slice of a packet is read after a call that may move the packet.
#include "vmlinux.h"

int bpf_dynptr_from_skb(struct __sk_buff *skb, __u64 flags, struct bpf_dynptr *ptr) __ksym;

SEC("tc")
int dynptr_slice_after_pull(struct __sk_buff *skb)
{
	struct bpf_dynptr packet;
	struct ethhdr buffer, *eth;

	if (bpf_dynptr_from_skb(skb, 0, &packet))
		return 0;
	eth = bpf_dynptr_slice(&packet, 0, &buffer, sizeof(buffer));
	if (!eth)
		return 0;
#ifndef FIX
	bpf_skb_pull_data(skb, 64); /* FROM */
#endif
	return eth->h_proto == bpf_htons(ETH_P_IP); /* FAIL */
}

char LICENSE[] SEC("license") = "GPL";
