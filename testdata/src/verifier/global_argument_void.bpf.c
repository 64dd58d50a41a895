// global-func-prototype -: an argument of a global function is a pointer without a type.
#include "vmlinux.h"

#ifdef FIX
__noinline int is_set(__u32 *flag)
#else
__noinline int is_set(void *flag)
#endif
{
	asm volatile("" : "+r"(flag));
	return flag != NULL;
}

SEC("xdp")
int global_argument_void(struct xdp_md *xdp)
{
	__u32 flag = 1;

	return is_set(&flag) ? XDP_PASS : XDP_DROP; /* FAIL */
}

char LICENSE[] SEC("license") = "GPL";
