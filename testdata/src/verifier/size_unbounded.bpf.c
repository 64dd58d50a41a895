// helper-size-negative R2: the size of a read from user memory comes from the caller without a bound.
#include "vmlinux.h"

char buffer[256];

SEC("tracepoint/syscalls/sys_enter_write")
int size_unbounded(struct trace_event_raw_sys_enter *ctx)
{
	const void *from = (const void *)ctx->args[1];
	__u64 size = ctx->args[2]; /* FROM */

#ifdef FIX
	if (size > sizeof(buffer))
		return 0;
#endif
	bpf_probe_read_user(buffer, size, from); /* FAIL */
	return 0;
}

char LICENSE[] SEC("license") = "GPL";
