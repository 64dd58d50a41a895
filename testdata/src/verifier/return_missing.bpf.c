// uninit-register R0: the result of a function that returns nothing is read.
#include "vmlinux.h"

static __naked __noinline __attribute__((used)) int weigh(void *data)
{
#ifdef FIX
	asm volatile("r0 = 1; exit;");
#else
	asm volatile("exit;");
#endif
}

SEC("tc")
int return_missing(struct __sk_buff *skb)
{
	int weight = weigh(skb); /* FROM */

	asm volatile("%0 = %0" : "+r"(weight)); /* FAIL */
	return weight;
}

char LICENSE[] SEC("license") = "GPL";
