// unbounded-memory-access R3: a loop that may run on, counted by may_goto, indexes an array by a counter without a check.
#include "vmlinux.h"

__u32 table[64];
__u32 start;

SEC("tc")
int may_goto_pointer(struct __sk_buff *skb)
{
	__u32 i = start, sum = 0; /* FROM */

	for (;;) {
		asm volatile goto("may_goto %l[done]" :::: done);
#ifdef FIX
		sum += table[i & 63];
#else
		sum += table[i]; /* FAIL */
#endif
		i += 1;
	}
done:
	return sum & 1;
}

char LICENSE[] SEC("license") = "GPL";
