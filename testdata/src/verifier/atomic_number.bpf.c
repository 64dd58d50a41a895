// misaligned-access R1: a number is taken for the address of a counter.
#include "vmlinux.h"

__u64 count;

SEC("tc")
int atomic_number(struct __sk_buff *skb)
{
#ifdef FIX
	__u64 *counter = &count;
#else
	__u64 *counter = (void *)(long)skb->mark; /* FROM */
#endif

	asm volatile("r1 = %0;" /* FAIL */
		     "r2 = 1;"
		     "lock *(u64 *)(r1 + 0) += r2;"
		     : : "r"(counter) : "r1", "r2", "memory");
	return 0;
}

char LICENSE[] SEC("license") = "GPL";
