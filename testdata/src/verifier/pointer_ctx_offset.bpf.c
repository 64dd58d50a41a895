// modified-pointer R1: a helper gets the address of a member of the context.
#include "vmlinux.h"

SEC("tc")
int pointer_ctx_offset(struct __sk_buff *skb)
{
	__u8 first = 0;

#ifdef FIX
	bpf_skb_load_bytes(skb, 0, &first, 1);
#else
	bpf_skb_load_bytes(&skb->cb, 0, &first, 1); /* FAIL FROM */
#endif
	return first;
}

char LICENSE[] SEC("license") = "GPL";
