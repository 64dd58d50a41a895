// pointer-math-unbounded R1: a signed index is compared with the upper bound only.
#include "vmlinux.h"

struct table {
	long limits[8];
};

struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, struct table);
} tables SEC(".maps");

SEC("tracepoint/syscalls/sys_enter_setpriority")
int map_value_signed(struct trace_event_raw_sys_enter *ctx)
{
	__u32 zero = 0;
	struct table *table = bpf_map_lookup_elem(&tables, &zero);
	long class;

	if (!table)
		return 0;
	class = (long)ctx->args[0]; /* FROM */
	if (class >= 8) /* FROM */
		return 0;
#ifdef FIX
	if (class < 0)
		return 0;
#endif
	table->limits[class] = 1; /* FAIL */
	return 0;
}

char LICENSE[] SEC("license") = "GPL";
