// context-access R1: a raw tracepoint has fewer arguments than the program reads.
#include "vmlinux.h"

SEC("raw_tp/sched_switch")
int ctx_out_of_bounds(struct bpf_raw_tracepoint_args *ctx)
{
	__u64 *arguments = (void *)ctx->args;

#ifdef FIX
	return arguments[1] != 0;
#else
	return arguments[14] != 0; /* FAIL FROM */
#endif
}

char LICENSE[] SEC("license") = "GPL";
