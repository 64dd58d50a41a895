// gpl-licence -: a program under another licence calls a helper for GPL programs.
#include "vmlinux.h"

__u64 value;

SEC("raw_tp/sys_enter")
int helper_gpl(struct bpf_raw_tracepoint_args *ctx)
{
	bpf_probe_read_kernel(&value, sizeof(value), (void *)ctx->args[0]); /* FAIL FROM */
	return 0;
}

#ifdef FIX
char LICENSE[] SEC("license") = "Dual MIT/GPL";
#else
char LICENSE[] SEC("license") = "Proprietary";
#endif
