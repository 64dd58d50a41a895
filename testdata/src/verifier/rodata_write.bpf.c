// map-write-forbidden R2: a constant that user space sets is written by the program.
#include "vmlinux.h"

#ifdef FIX
volatile __u32 limit = 10;
#else
const volatile __u32 limit = 10;
#endif

SEC("tc")
int rodata_write(struct __sk_buff *skb)
{
	*(volatile __u32 *)&limit = skb->len; /* FAIL FROM */
	return 0;
}

char LICENSE[] SEC("license") = "GPL";
