// helper-arg-type R1: an error path submits a record that was discarded before.
#include "vmlinux.h"

struct event {
	__u64 value;
};

struct {
	__uint(type, BPF_MAP_TYPE_RINGBUF);
	__uint(max_entries, 4096);
} events SEC(".maps");

SEC("raw_tp/sys_enter")
int released_twice(struct bpf_raw_tracepoint_args *ctx)
{
	struct event *e = bpf_ringbuf_reserve(&events, sizeof(*e), 0);

	if (!e)
		return 0;
	if (bpf_probe_read_kernel(&e->value, sizeof(e->value), (void *)ctx->args[0])) {
		bpf_ringbuf_discard(e, 0); /* FROM */
#ifdef FIX
		return 0;
#endif
	}
	bpf_ringbuf_submit(e, 0); /* FAIL */
	return 0;
}

char LICENSE[] SEC("license") = "GPL";
