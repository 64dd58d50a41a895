// dynptr-argument R3: a dynptr is read before it is made.
#include "vmlinux.h"

char data[64];

SEC("tc")
int dynptr_uninitialised(struct __sk_buff *skb)
{
	struct bpf_dynptr memory;
	__u32 word = 0;

#ifdef FIX
	bpf_dynptr_from_mem(data, sizeof(data), 0, &memory);
#endif
	bpf_dynptr_read(&word, sizeof(word), &memory, 0, 0); /* FAIL */
	return word & 1;
}

char LICENSE[] SEC("license") = "GPL";
