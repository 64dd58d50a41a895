// unreleased-reference ref: a reserved record is neither submitted nor discarded when a read fails.
#include "vmlinux.h"

struct event {
	__u64 value;
};

struct {
	__uint(type, BPF_MAP_TYPE_RINGBUF);
	__uint(max_entries, 4096);
} events SEC(".maps");

SEC("raw_tp/sys_enter")
int leak_ringbuf(struct bpf_raw_tracepoint_args *ctx)
{
	struct event *e = bpf_ringbuf_reserve(&events, sizeof(*e), 0); /* FROM */

	if (!e)
		return 0;
	if (bpf_probe_read_kernel(&e->value, sizeof(e->value), (void *)ctx->args[0])) {
#ifdef FIX
		bpf_ringbuf_discard(e, 0);
#endif
		return 0; /* FAIL */
	}
	bpf_ringbuf_submit(e, 0);
	return 0;
} /* EXIT */

char LICENSE[] SEC("license") = "GPL";
