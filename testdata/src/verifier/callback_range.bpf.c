// program-exit-value R0: the callback of a map walk returns 2, but 0 and 1 are allowed.
#include "vmlinux.h"

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, 8);
	__type(key, __u32);
	__type(value, __u64);
} table SEC(".maps");

struct bpf_map;

static long visit(struct bpf_map *map, const void *key, void *value, void *ctx)
{
#ifdef FIX
	return *(__u64 *)value > 10 ? 1 : 0;
#else
	return *(__u64 *)value > 10 ? 2 : 0; /* FAIL FROM? */
#endif
}

SEC("tc")
int callback_range(struct __sk_buff *skb)
{
	return bpf_for_each_map_elem(&table, visit, NULL, 0) > 4;
}

char LICENSE[] SEC("license") = "GPL";
