// map-value-bounds R1: a helper writes 32 bytes into a value of 16.
#include "vmlinux.h"

struct name {
	char text[16];
};

struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, 64);
	__type(key, __u32);
	__type(value, struct name);
} names SEC(".maps");

SEC("raw_tp/sched_switch")
int map_value_helper_size(void *ctx)
{
	__u32 key = 0;
	struct name *name = bpf_map_lookup_elem(&names, &key); /* FROM */

	if (!name)
		return 0;
#ifdef FIX
	bpf_get_current_comm(name->text, sizeof(name->text));
#else
	bpf_get_current_comm(name->text, 32); /* FAIL FROM */
#endif
	return 0;
}

char LICENSE[] SEC("license") = "GPL";
