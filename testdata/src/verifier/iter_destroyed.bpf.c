// iterator-argument fp-8: a loop goes on with an iterator that was destroyed before.
#include "vmlinux.h"

SEC("tc")
int iter_destroyed(struct __sk_buff *skb)
{
	struct bpf_iter_num rounds;
	int *round;

	bpf_iter_num_new(&rounds, 0, 3);
#ifndef FIX
	bpf_iter_num_destroy(&rounds); /* FROM */
#endif
	round = bpf_iter_num_next(&rounds); /* FAIL */
#ifdef FIX
	bpf_iter_num_destroy(&rounds);
	return 0;
#else
	return round != NULL;
#endif
}

char LICENSE[] SEC("license") = "GPL";
