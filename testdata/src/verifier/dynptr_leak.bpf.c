// unreleased-reference ref: a dynamic record is not submitted when the write fails.
#include "vmlinux.h"

struct {
	__uint(type, BPF_MAP_TYPE_RINGBUF);
	__uint(max_entries, 4096);
} events SEC(".maps");

SEC("tc")
int dynptr_leak(struct __sk_buff *skb)
{
	struct bpf_dynptr record;
	__u32 mark = skb->mark;

	if (bpf_ringbuf_reserve_dynptr(&events, 64, 0, &record)) { /* FROM */
		bpf_ringbuf_discard_dynptr(&record, 0);
		return 0;
	}
	if (bpf_dynptr_write(&record, 0, &mark, sizeof(mark), 0)) {
#ifdef FIX
		bpf_ringbuf_discard_dynptr(&record, 0);
#endif
		return 0; /* FAIL */
	}
	bpf_ringbuf_submit_dynptr(&record, 0);
	return 0;
} /* EXIT */

char LICENSE[] SEC("license") = "GPL";
