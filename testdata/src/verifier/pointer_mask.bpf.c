// pointer-math-too-big R3: a pointer is aligned with a mask.
#include "vmlinux.h"

SEC("xdp")
int pointer_mask(struct xdp_md *ctx) /* FROM */
{
	void *data_end = (void *)(long)ctx->data_end;
	void *data = (void *)(long)ctx->data;
	__u8 *aligned;

#ifdef FIX
	aligned = data;
#else
	aligned = (void *)((unsigned long)data & ~3ul); /* FAIL FROM */
#endif
	if (aligned + 1 > (__u8 *)data_end)
		return XDP_PASS;
	return *aligned ? XDP_DROP : XDP_PASS;
}

char LICENSE[] SEC("license") = "GPL";
