// lock-argument R1: the struct that __contains names is not in the BTF, so the kernel finds no lock.
#include "vmlinux.h"

struct item {
	int value;
	struct bpf_list_node node;
};

private(A) struct bpf_spin_lock lock;
private(A) struct bpf_list_head items __contains(item, node);
#ifdef FIX
struct item *unused;
#endif

SEC("tc")
int lock_beside_unknown_list(struct __sk_buff *skb)
{
	bpf_spin_lock(&lock); /* FAIL */
	bpf_spin_unlock(&lock);
	return 0;
}

char LICENSE[] SEC("license") = "GPL";
