// iterator-argument fp-8: an iterator is used before it is created.
#include "vmlinux.h"

SEC("tc")
int iter_uninitialised(struct __sk_buff *skb)
{
	struct bpf_iter_num it;
	int *number, sum = 0;

#ifdef FIX
	bpf_iter_num_new(&it, 0, 4);
#endif
	while ((number = bpf_iter_num_next(&it))) /* FAIL */
		sum += *number;
	bpf_iter_num_destroy(&it);
	return sum;
}

char LICENSE[] SEC("license") = "GPL";
