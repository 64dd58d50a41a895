// call-depth -: a function calls itself.
#include "vmlinux.h"

static __noinline int depth_of(int n)
{
	int rest = 0;

	asm volatile("" : "+r"(n));
#ifndef FIX
	if (n > 0)
		rest = depth_of(n - 1); /* FAIL FROM */
#endif
	asm volatile("" : "+r"(rest));
	return rest + n;
}

SEC("tc")
int recursion(struct __sk_buff *skb)
{
	return depth_of(skb->mark & 31);
}

char LICENSE[] SEC("license") = "GPL";
