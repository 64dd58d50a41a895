// packet-bounds R1: the check covers one byte less than the access.
#include "vmlinux.h"

SEC("xdp")
int packet_short_check(struct xdp_md *ctx)
{
	void *data_end = (void *)(long)ctx->data_end;
	void *data = (void *)(long)ctx->data; /* FROM */
	__u32 *word = data;

#ifdef FIX
	if ((void *)(word + 4) > data_end)
#else
	if (data + 15 > data_end) /* FROM */
#endif
		return XDP_PASS;
	return word[3] == 0x2a ? XDP_DROP : XDP_PASS; /* FAIL */
}

char LICENSE[] SEC("license") = "GPL";
