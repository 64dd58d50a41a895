// exit-under-lock -: preemption is not enabled again on one path.
#include "vmlinux.h"

__u64 seen;

SEC("tc")
int preempt_leak(struct __sk_buff *skb)
{
	bpf_preempt_disable(); /* FROM */
	if (skb->mark == 0) {
#ifdef FIX
		bpf_preempt_enable();
#endif
		return 0; /* FAIL */
	}
	seen += 1;
	bpf_preempt_enable();
	return 0;
} /* EXIT */

char LICENSE[] SEC("license") = "GPL";
