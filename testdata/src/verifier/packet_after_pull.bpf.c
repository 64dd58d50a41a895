// invalid-mem-access R6: a pointer into the packet is used after a helper that may move the packet.
#include "vmlinux.h"

SEC("tc")
int packet_after_pull(struct __sk_buff *skb)
{
	void *data_end = (void *)(long)skb->data_end;
	struct ethhdr *eth = (void *)(long)skb->data;

	if ((void *)(eth + 1) > data_end)
		return 0;
	if (bpf_skb_pull_data(skb, 64)) /* FROM */
		return 0;
#ifdef FIX
	eth = (void *)(long)skb->data;
	data_end = (void *)(long)skb->data_end;
	if ((void *)(eth + 1) > data_end)
		return 0;
#endif
	eth->h_dest[0] = 2; /* FAIL */
	return 0;
}

char LICENSE[] SEC("license") = "GPL";
