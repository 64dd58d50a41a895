// program-exit-value R0: a cgroup program returns a value of another program type.
#include "vmlinux.h"

SEC("cgroup/sock_create")
int return_range_constant(struct bpf_sock *sk)
{
#ifdef FIX
	return sk->type == 3 ? 0 : 1;
#else
	return sk->type == 3 ? 2 : 1; /* FAIL FROM */
#endif
}

char LICENSE[] SEC("license") = "GPL";
