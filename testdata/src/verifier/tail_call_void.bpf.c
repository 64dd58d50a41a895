// tail-call-subprogs -: a function without a result makes a tail call.
#include "vmlinux.h"

struct {
	__uint(type, BPF_MAP_TYPE_PROG_ARRAY);
	__uint(max_entries, 4);
	__type(key, __u32);
	__type(value, __u32);
} programs SEC(".maps");

#ifdef FIX
static __noinline int go_on(struct __sk_buff *skb)
#else
static __noinline void go_on(struct __sk_buff *skb)
#endif
{
	bpf_tail_call(skb, &programs, 1); /* FAIL */
	asm volatile("");
#ifdef FIX
	return 0;
#endif
}

SEC("tc")
int tail_call_void(struct __sk_buff *skb)
{
	go_on(skb);
	return 0;
}

char LICENSE[] SEC("license") = "GPL";
