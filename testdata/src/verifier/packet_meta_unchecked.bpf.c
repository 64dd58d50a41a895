// packet-bounds R2: metadata is read after a comparison that covers none of its bytes.
#include "vmlinux.h"

SEC("xdp")
int packet_meta_unchecked(struct xdp_md *ctx)
{
	void *data = (void *)(long)ctx->data;
	__u32 *mark = (void *)(long)ctx->data_meta;

#ifdef FIX
	if ((void *)(mark + 1) > data)
#else
	if ((void *)mark > data) /* FROM */
#endif
		return XDP_PASS;
	return *mark ? XDP_DROP : XDP_PASS; /* FAIL */
}

char LICENSE[] SEC("license") = "GPL";
