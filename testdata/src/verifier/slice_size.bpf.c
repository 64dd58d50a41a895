// constant-argument R4: the size of a slice of a dynptr is known only at run time.
#include "vmlinux.h"

SEC("xdp")
int slice_size(struct xdp_md *ctx)
{
	struct bpf_dynptr packet;
	char buffer[16];
	__u32 size = ctx->rx_queue_index & 15; /* FROM */

	bpf_dynptr_from_xdp(ctx, 0, &packet);
#ifdef FIX
	return bpf_dynptr_slice(&packet, 0, buffer, sizeof(buffer)) ? XDP_DROP : XDP_PASS;
#else
	return bpf_dynptr_slice(&packet, 0, buffer, size) ? XDP_DROP : XDP_PASS; /* FAIL */
#endif
}

char LICENSE[] SEC("license") = "GPL";
