// program-exit-value R0: the result of a helper is returned where only 0 and 1 are allowed.
#include "vmlinux.h"

SEC("cgroup/connect4")
int return_range_error(struct bpf_sock_addr *ctx)
{
	int timeout = 5;
	long error = bpf_setsockopt(ctx, 6, 13, &timeout, sizeof(timeout)); /* FROM */

#ifdef FIX
	return error == 0;
#else
	return error; /* FAIL */
#endif
}

char LICENSE[] SEC("license") = "GPL";
