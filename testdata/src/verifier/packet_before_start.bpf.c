// packet-bounds R1: bytes before the start of the packet are read.
#include "vmlinux.h"

SEC("xdp")
int packet_before_start(struct xdp_md *ctx)
{
	char *data = (void *)(long)ctx->data; /* FROM */
	char *end = (void *)(long)ctx->data_end;

	if (data + 8 > end) /* FROM */
		return XDP_PASS;
#ifdef FIX
	return *data == 0 ? XDP_DROP : XDP_PASS;
#else
	return *(data - 4) == 0 ? XDP_DROP : XDP_PASS; /* FAIL */
#endif
}

char LICENSE[] SEC("license") = "GPL";
