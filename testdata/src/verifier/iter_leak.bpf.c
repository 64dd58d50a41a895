// unreleased-reference fp-8: an iterator is not destroyed when the loop returns early.
#include "vmlinux.h"

SEC("tc")
int iter_leak(struct __sk_buff *skb)
{
	struct bpf_iter_num it;
	int *number;

	bpf_iter_num_new(&it, 0, 16); /* FROM */
	while ((number = bpf_iter_num_next(&it))) {
		if (*number == skb->queue_mapping) {
#ifdef FIX
			bpf_iter_num_destroy(&it);
#endif
			return 2; /* FAIL */
		}
	}
	bpf_iter_num_destroy(&it);
	return 0;
} /* EXIT */

char LICENSE[] SEC("license") = "GPL";
