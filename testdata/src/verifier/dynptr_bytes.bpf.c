// stack-uninit-read fp-16: the bytes of a dynptr are read.
#include "vmlinux.h"

struct {
	__uint(type, BPF_MAP_TYPE_RINGBUF);
	__uint(max_entries, 4096);
} events SEC(".maps");

SEC("raw_tp/sched_switch")
int dynptr_bytes(void *ctx)
{
	struct bpf_dynptr record;
	__u64 first = 0;

	bpf_ringbuf_reserve_dynptr(&events, 16, 0, &record); /* FROM */
#ifdef FIX
	bpf_dynptr_read(&first, sizeof(first), &record, 0, 0);
#else
	first = *(volatile __u64 *)&record; /* FAIL */
#endif
	bpf_ringbuf_submit_dynptr(&record, 0);
	return first == 1;
}

char LICENSE[] SEC("license") = "GPL";
