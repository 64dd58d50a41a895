// packet-bounds R1: a 16-bit number in the pointer is so large that no comparison proves the byte after it.
#include "vmlinux.h"

SEC("xdp")
int packet_number_16(struct xdp_md *ctx)
{
	void *data = (void *)(long)ctx->data;
	void *end = (void *)(long)ctx->data_end;
	__u8 *field;
	__u16 length;

	if (data + 14 > end)
		return XDP_PASS;
#ifdef FIX
	length = *(__u16 *)(data + 12) & 0xfff;
#else
	length = *(__u16 *)(data + 12); /* FROM */
#endif
	field = data + length;
	if (field + 1 > end)
		return XDP_PASS;
	return *field ? XDP_DROP : XDP_PASS; /* FAIL */
}

char LICENSE[] SEC("license") = "GPL";
