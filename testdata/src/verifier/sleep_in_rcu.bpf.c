// sleepable-call -: a helper that may sleep is called within an RCU read section.
#include "vmlinux.h"

char buffer[16];

SEC("syscall")
int sleep_in_rcu(void *ctx)
{
	bpf_rcu_read_lock(); /* FROM */
#ifdef FIX
	bpf_rcu_read_unlock();
	bpf_copy_from_user(buffer, sizeof(buffer), NULL);
#else
	bpf_copy_from_user(buffer, sizeof(buffer), NULL); /* FAIL */
	bpf_rcu_read_unlock();
#endif
	return 0;
}

char LICENSE[] SEC("license") = "GPL";
