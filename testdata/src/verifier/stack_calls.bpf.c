// stack-size -: the stacks of three functions that call one another are more than 512 bytes.
#include "vmlinux.h"

#ifdef FIX
#define SIZE 96
#else
#define SIZE 200
#endif

static __noinline int inner(__u32 value)
{
	volatile char text[SIZE];

	text[value & 31] = 1;
	return text[3];
}

static __noinline int middle(__u32 value)
{
	volatile char text[SIZE];

	text[value & 31] = 1;
	return inner(value + text[1]); /* FROM? */
}

SEC("tc")
int stack_calls(struct __sk_buff *skb)
{
	volatile char text[SIZE];

	text[skb->len & 31] = 1;
	text[1] = 2;
	text[3] = 4;
	return middle(skb->mark) + text[2]; /* FROM? */
}

char LICENSE[] SEC("license") = "GPL";
