// helper-arg-type R1: a tracing helper gets a copy of the arguments instead of the context.
#include "vmlinux.h"

struct {
	__uint(type, BPF_MAP_TYPE_PERF_EVENT_ARRAY);
	__uint(key_size, 4);
	__uint(value_size, 4);
} events SEC(".maps");

SEC("raw_tp/sched_switch")
int argument_context(struct bpf_raw_tracepoint_args *ctx)
{
	__u64 data[2] = { bpf_ktime_get_ns(), 1 }; /* FROM */

#ifdef FIX
	bpf_perf_event_output(ctx, &events, BPF_F_CURRENT_CPU, data, sizeof(data));
#else
	bpf_perf_event_output(data, &events, BPF_F_CURRENT_CPU, data, sizeof(data)); /* FAIL FROM */
#endif
	return 0;
}

char LICENSE[] SEC("license") = "GPL";
