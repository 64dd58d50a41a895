// helper-size-unbounded R2: the result of a read of a string, which may be an error, is the size of another read.
#include "vmlinux.h"

char path[128];

SEC("tracepoint/syscalls/sys_enter_openat")
int size_negative(struct trace_event_raw_sys_enter *ctx)
{
	const char *from = (const char *)ctx->args[1];
	long length;

	length = bpf_probe_read_user_str(path, sizeof(path), from); /* FROM */
#ifdef FIX
	if (length < 0)
		return 0;
#endif
	bpf_probe_read_user(path, length, from); /* FAIL */
	return 0;
}

char LICENSE[] SEC("license") = "GPL";
