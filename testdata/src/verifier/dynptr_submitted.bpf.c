// dynptr-argument R1: a record is written through its dynptr after it was submitted.
#include "vmlinux.h"

struct {
	__uint(type, BPF_MAP_TYPE_RINGBUF);
	__uint(max_entries, 4096);
} events SEC(".maps");

SEC("tc")
int dynptr_submitted(struct __sk_buff *skb)
{
	struct bpf_dynptr record;
	__u64 stamp = 5;

	bpf_ringbuf_reserve_dynptr(&events, 8, 0, &record);
#ifdef FIX
	bpf_dynptr_write(&record, 0, &stamp, sizeof(stamp), 0);
	bpf_ringbuf_submit_dynptr(&record, 0);
#else
	bpf_ringbuf_submit_dynptr(&record, 0); /* FROM */
	bpf_dynptr_write(&record, 0, &stamp, sizeof(stamp), 0); /* FAIL */
#endif
	return 0;
}

char LICENSE[] SEC("license") = "GPL";
