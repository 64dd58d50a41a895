// helper-arg-type R2: a tail call gets a number where the map of programs is expected.
#include "vmlinux.h"

struct {
	__uint(type, BPF_MAP_TYPE_PROG_ARRAY);
	__uint(max_entries, 4);
	__uint(key_size, 4);
	__uint(value_size, 4);
} stages SEC(".maps");

SEC("xdp")
int tail_call_index(struct xdp_md *ctx)
{
	__u32 stage = ctx->rx_queue_index; /* FROM */

#ifdef FIX
	bpf_tail_call(ctx, &stages, stage);
#else
	bpf_tail_call(ctx, (void *)(long)stage, 0); /* FAIL */
#endif
	return XDP_PASS;
}

char LICENSE[] SEC("license") = "GPL";
