// reference-leak ref: a tail call is made while a record is reserved.
#include "vmlinux.h"

struct {
	__uint(type, BPF_MAP_TYPE_RINGBUF);
	__uint(max_entries, 4096);
} events SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_PROG_ARRAY);
	__uint(max_entries, 4);
	__uint(key_size, 4);
	__uint(value_size, 4);
} stages SEC(".maps");

SEC("xdp")
int leak_tail_call(struct xdp_md *ctx)
{
	__u64 *record = bpf_ringbuf_reserve(&events, 8, 0); /* FROM */

	if (!record)
		return XDP_PASS;
	*record = ctx->rx_queue_index;
#ifdef FIX
	bpf_ringbuf_submit(record, 0);
	bpf_tail_call(ctx, &stages, 1);
#else
	bpf_tail_call(ctx, &stages, 1); /* FAIL */
	bpf_ringbuf_submit(record, 0);
#endif
	return XDP_PASS;
}

char LICENSE[] SEC("license") = "GPL";
