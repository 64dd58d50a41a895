// misaligned-access R4: bpf_strtol writes its result of 8 bytes to the middle of an aligned pair of numbers.
#include "vmlinux.h"

SEC("tc")
int stack_result_odd(struct __sk_buff *skb)
{
	char text[8] = "12";
	__u64 pair[2] = {};

	text[1] += skb->mark & 7;
#ifdef FIX
	bpf_strtol(text, sizeof(text), 10, (long *)&pair[1]);
#else
	bpf_strtol(text, sizeof(text), 10, (long *)((char *)pair + 4)); /* FAIL FROM */
#endif
	return pair[1];
}

char LICENSE[] SEC("license") = "GPL";
