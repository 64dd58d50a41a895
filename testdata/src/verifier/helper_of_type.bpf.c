// helper-not-allowed -: an XDP program calls a helper of tracing programs.
#include "vmlinux.h"

SEC("xdp")
int helper_of_type(struct xdp_md *ctx)
{
#ifdef FIX
	return bpf_get_smp_processor_id() == 0 ? XDP_PASS : XDP_DROP;
#else
	return bpf_get_stackid(ctx, NULL, 0) ? XDP_PASS : XDP_DROP; /* FAIL FROM */
#endif
}

char LICENSE[] SEC("license") = "GPL";
