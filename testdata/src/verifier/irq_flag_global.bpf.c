// irq-flag R1: the interrupt state is saved in a global variable.
#include "vmlinux.h"

#ifndef FIX
unsigned long flags;
#endif

SEC("tc")
int irq_flag_global(struct __sk_buff *skb)
{
#ifdef FIX
	unsigned long flags;
#endif

	bpf_local_irq_save(&flags); /* FAIL FROM */
	bpf_local_irq_restore(&flags);
	return 0;
}

char LICENSE[] SEC("license") = "GPL";
