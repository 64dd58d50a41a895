// invalid-mem-access R0: the number that an iterator gives is read without a check for its end.
#include "vmlinux.h"

SEC("tc")
int null_iter_next(struct __sk_buff *skb)
{
	struct bpf_iter_num it;
	int *number, sum = 0;

	bpf_iter_num_new(&it, 0, 10);
	number = bpf_iter_num_next(&it); /* FROM */
#ifdef FIX
	if (number)
#endif
	sum = *number; /* FAIL */
	bpf_iter_num_destroy(&it);
	return sum;
}

char LICENSE[] SEC("license") = "GPL";
