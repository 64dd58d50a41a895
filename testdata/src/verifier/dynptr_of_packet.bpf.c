// release-unacquired R1: a dynptr of a packet is submitted to a ring buffer.
#include "vmlinux.h"

SEC("xdp")
int dynptr_of_packet(struct xdp_md *xdp)
{
	struct bpf_dynptr packet;

	if (bpf_dynptr_from_xdp(xdp, 0, &packet)) /* FROM */
		return XDP_PASS;
#ifndef FIX
	bpf_ringbuf_submit_dynptr(&packet, 0); /* FAIL */
#endif
	return XDP_PASS;
}

char LICENSE[] SEC("license") = "GPL";
