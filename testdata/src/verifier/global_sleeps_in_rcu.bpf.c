// sleepable-call -: a global function that may sleep is called under the RCU read lock.
#include "vmlinux.h"

char name[16];

__noinline int read_name(void)
{
	return bpf_copy_from_user(name, sizeof(name), (void *)1);
}

SEC("syscall")
int global_sleeps_in_rcu(void *ctx)
{
	int error;

#ifdef FIX
	error = read_name();
#else
	bpf_rcu_read_lock(); /* FROM */
	error = read_name(); /* FAIL */
	bpf_rcu_read_unlock();
#endif
	return error != 0;
}

char LICENSE[] SEC("license") = "GPL";
