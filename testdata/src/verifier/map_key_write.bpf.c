// map-key-write R2: a callback writes the key of an element.
#include "vmlinux.h"

struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, 8);
	__type(key, __u32);
	__type(value, __u64);
} counts SEC(".maps");

static long reset(struct bpf_map *map, __u32 *key, __u64 *count, void *ctx)
{
#ifdef FIX
	*count = 0;
#else
	*key = 0; /* FAIL */
#endif
	return 0;
}

SEC("tc")
int map_key_write(struct __sk_buff *skb)
{
	bpf_for_each_map_elem(&counts, reset, NULL, 0); /* FROM */
	return 0;
}

char LICENSE[] SEC("license") = "GPL";
