// exit-under-lock fp-8: interrupts are not restored on one path.
#include "vmlinux.h"

__u64 seen;

SEC("tc")
int irq_leak(struct __sk_buff *skb)
{
	unsigned long flags;

	bpf_local_irq_save(&flags); /* FROM */
	if (skb->mark == 0) {
#ifdef FIX
		bpf_local_irq_restore(&flags);
#endif
		return 0; /* FAIL */
	}
	seen += 1;
	bpf_local_irq_restore(&flags);
	return 0;
} /* EXIT */

char LICENSE[] SEC("license") = "GPL";
