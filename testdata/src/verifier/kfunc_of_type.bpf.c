// kfunc-not-allowed -: an XDP program calls a kernel function of tracing programs.
#include "vmlinux.h"

void bpf_cast_to_kern_ctx_(void) __ksym __weak;
int bpf_sock_destroy(struct sock_common *sock) __ksym;

SEC("xdp")
int kfunc_of_type(struct xdp_md *ctx)
{
#ifdef FIX
	return XDP_PASS;
#else
	return bpf_sock_destroy((void *)ctx) ? XDP_PASS : XDP_DROP; /* FAIL FROM */
#endif
}

char LICENSE[] SEC("license") = "GPL";
