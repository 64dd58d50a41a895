// packet-bounds R2: a number without a useful limit is added to a packet pointer.
#include "vmlinux.h"

SEC("xdp")
int packet_number_unlimited(struct xdp_md *ctx)
{
	void *data = (void *)(long)ctx->data, *end = (void *)(long)ctx->data_end;
	__u32 offset = ctx->rx_queue_index; /* FROM */
	__u32 *word;

#ifdef FIX
	if (offset > 1024)
		return XDP_PASS;
#endif
	word = data + offset; /* FROM */
	if ((void *)(word + 1) > end)
		return XDP_PASS;
	return *word == 0 ? XDP_DROP : XDP_PASS; /* FAIL */
}

char LICENSE[] SEC("license") = "GPL";
