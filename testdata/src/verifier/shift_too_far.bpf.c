// invalid-shift R1: assembly shifts a register by 64.
#include "vmlinux.h"

SEC("tc")
int shift_too_far(struct __sk_buff *skb)
{
	__u64 hash = skb->hash;

#ifdef FIX
	asm volatile("%[hash] <<= 63" : [hash] "+r"(hash));
#else
	asm volatile("%[hash] <<= 64" : [hash] "+r"(hash)); /* FAIL FROM */
#endif
	return hash != 0;
}

char LICENSE[] SEC("license") = "GPL";
