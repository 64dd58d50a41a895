// unbounded-memory-access R2: a callback of bpf_loop indexes an array with its number without a check.
#include "vmlinux.h"

__u32 table[16];

static long step(__u32 index, void *ctx) /* FROM */
{
#ifdef FIX
	if (index >= 16)
		return 1;
#endif
	table[index] = 1; /* FAIL FROM */
	return 0;
}

SEC("tc")
int callback_bounds(struct __sk_buff *skb)
{
	bpf_loop(16, step, NULL, 0);
	return table[3];
}

char LICENSE[] SEC("license") = "GPL";
