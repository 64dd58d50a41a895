// stack-size -: the stacks of a program, the callback of bpf_loop and a function that it calls are more than 512 bytes.
#include "vmlinux.h"

#ifdef FIX
#define SIZE 96
#else
#define SIZE 200
#endif

static __noinline int small(__u32 value)
{
	volatile char text[40];

	text[value & 31] = 1;
	return text[3];
}

static __noinline int large(__u32 value)
{
	volatile char text[SIZE];

	text[value & 31] = 1;
	return text[3];
}

static long step(__u32 index, void *ctx)
{
	volatile char text[SIZE];

	text[index & 31] = 1;
	return (large(index) + text[3]) & 1; /* FROM */
}

SEC("tc")
int stack_callback(struct __sk_buff *skb)
{
	volatile char text[SIZE];

	text[skb->len & 31] = 1;
	bpf_loop(small(skb->mark), step, NULL, 0);
	return text[2];
}

char LICENSE[] SEC("license") = "GPL";
