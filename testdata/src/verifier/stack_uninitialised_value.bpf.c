// stack-indirect-uninit fp-16: one member of the value is never written before the update.
// OPTIONS caps=bpf
#include "vmlinux.h"

struct record {
	__u64 time;
	__u64 count;
};

struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, 64);
	__type(key, __u32);
	__type(value, struct record);
} records SEC(".maps");

SEC("cgroup/connect4")
int stack_uninitialised_value(struct bpf_sock_addr *ctx)
{
	__u32 key = ctx->user_ip4;
#ifdef FIX
	struct record record = {};
#else
	struct record record; /* FROM? */
#endif

	record.time = bpf_ktime_get_ns();
	bpf_map_update_elem(&records, &key, &record, BPF_ANY); /* FAIL */
	return 1;
}

char LICENSE[] SEC("license") = "GPL";
