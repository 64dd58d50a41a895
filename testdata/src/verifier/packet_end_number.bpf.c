// pointer-arith-type R1: a number is combined with the end of the packet.
#include "vmlinux.h"

SEC("xdp")
int packet_end_number(struct xdp_md *ctx)
{
	__u64 number = ctx->rx_queue_index;
	void *end = (void *)(long)ctx->data_end; /* FROM */

#ifndef FIX
	asm volatile("r1 = %0;" /* FAIL */
		     "r1 |= %1;"
		     : : "r"(number), "r"(end) : "r1");
#endif
	return number & 1 ? XDP_PASS : XDP_DROP;
}

char LICENSE[] SEC("license") = "GPL";
