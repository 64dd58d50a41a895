// irq-flag R1: two interrupt states are restored in the order of their saving.
#include "vmlinux.h"

SEC("tc")
int irq_order(struct __sk_buff *skb)
{
	unsigned long outer, inner;

	bpf_local_irq_save(&outer);
	bpf_local_irq_save(&inner); /* FROM */
#ifdef FIX
	bpf_local_irq_restore(&inner);
	bpf_local_irq_restore(&outer);
#else
	bpf_local_irq_restore(&outer); /* FAIL */
	bpf_local_irq_restore(&inner);
#endif
	return 0;
}

char LICENSE[] SEC("license") = "GPL";
