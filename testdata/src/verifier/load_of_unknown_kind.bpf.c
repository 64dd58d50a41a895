// bad-ldimm64 -: a 16-byte load has a kind that the kernel does not know.
#include "vmlinux.h"

SEC("tc")
int load_of_unknown_kind(struct __sk_buff *skb)
{
#ifdef FIX
	asm volatile("r1 = 5 ll" ::: "r1");
#else
	asm volatile(".8byte 0x0000000500009118; .8byte 0" ::: "r1"); /* FAIL FROM */
#endif
	return 0;
}

char LICENSE[] SEC("license") = "GPL";
