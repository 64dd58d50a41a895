// packet-bounds R1: a byte is read at a pointer of which only the bytes before it are checked.
#include "vmlinux.h"

SEC("xdp")
int packet_no_byte_left(struct xdp_md *ctx)
{
	void *data = (void *)(long)ctx->data;
	void *end = (void *)(long)ctx->data_end;
	__u8 *field;
	__u16 length;

	if (data + 14 > end)
		return XDP_PASS;
	length = *(__u16 *)(data + 12) & 0xfff;
	field = data + length;
#ifdef FIX
	if (field + 1 > end)
#else
	if (field > end) /* FROM */
#endif
		return XDP_PASS;
	return *field ? XDP_DROP : XDP_PASS; /* FAIL */
}

char LICENSE[] SEC("license") = "GPL";
