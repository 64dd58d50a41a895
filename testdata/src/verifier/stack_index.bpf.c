// stack-unbounded R2: an index into an array on the stack has no bound.
#include "vmlinux.h"

SEC("xdp")
int stack_index(struct xdp_md *ctx)
{
	volatile __u8 seen[16] = {};
	__u32 queue = ctx->rx_queue_index; /* FROM */

#ifdef FIX
	if (queue >= sizeof(seen))
		return XDP_PASS;
#endif
	seen[queue] = 1; /* FAIL */
	return seen[3] ? XDP_DROP : XDP_PASS;
}

char LICENSE[] SEC("license") = "GPL";
