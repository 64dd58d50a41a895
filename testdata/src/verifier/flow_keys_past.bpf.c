// flow-keys-bounds R1: bytes after the flow keys are read.
#include "vmlinux.h"

SEC("flow_dissector")
int flow_keys_past(struct __sk_buff *skb)
{
	void *keys = (void *)(long)skb->flow_keys; /* FROM */

#ifdef FIX
	return *(__u16 *)(keys + 4);
#else
	return *(__u32 *)(keys + 200); /* FAIL */
#endif
}

char LICENSE[] SEC("license") = "GPL";
