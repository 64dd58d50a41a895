// btf-struct-access R2: more bytes of a kernel object are sent than its first member has.
#include "vmlinux.h"

struct {
	__uint(type, BPF_MAP_TYPE_RINGBUF);
	__uint(max_entries, 4096);
} events SEC(".maps");

SEC("tp_btf/task_newtask")
int task_record(__u64 *ctx)
{
	struct task_struct *task = (void *)ctx[0]; /* FROM? */

#ifdef FIX
	bpf_ringbuf_output(&events, task, 8, 0);
#else
	bpf_ringbuf_output(&events, task, 16, 0); /* FAIL */
#endif
	return 0;
}

char LICENSE[] SEC("license") = "GPL";
