// map-value-bounds R0: a bounded loop moves a pointer once more than the value has entries.
#include "vmlinux.h"

struct rules {
	struct {
		__u32 address, action;
	} rules[8];
};

struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, struct rules);
} tables SEC(".maps");

SEC("cgroup/connect4")
int loop_pointer(struct bpf_sock_addr *ctx)
{
	__u32 zero = 0, address = ctx->user_ip4;
	struct rules *table = bpf_map_lookup_elem(&tables, &zero);
	volatile __u32 *at;

	if (!table)
		return 1;
	at = &table->rules[0].address;
#ifdef FIX
	for (int i = 0; i < 8; i++) {
#else
	for (int i = 0; i <= 8; i++) {
#endif
		barrier_var(at);
		if (*at == address) /* FAIL FROM */
			return 0;
		at += 2; /* FROM */
	}
	return 1;
}

char LICENSE[] SEC("license") = "GPL";
