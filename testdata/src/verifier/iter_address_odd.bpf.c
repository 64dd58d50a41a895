// stack-object-offset R1: an iterator is made at an address of the stack that is not aligned.
#include "vmlinux.h"

SEC("tc")
int iter_address_odd(struct __sk_buff *skb)
{
	char bytes[24] __attribute__((aligned(8)));
#ifdef FIX
	struct bpf_iter_num *it = (void *)bytes;
#else
	struct bpf_iter_num *it = (void *)(bytes + 4); /* FROM? */
#endif

	bpf_iter_num_new(it, 0, 4); /* FAIL FROM */
	bpf_iter_num_destroy(it);
	return 0;
}

char LICENSE[] SEC("license") = "GPL";
