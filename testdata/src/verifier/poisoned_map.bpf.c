// invalid-func -: a map that the loader does not create is used.
// OPTIONS without=optional
#include "vmlinux.h"

const volatile bool has_map;

struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, 4);
	__type(key, __u32);
	__type(value, __u64);
} optional SEC(".maps");

SEC("tc")
int poisoned_map(struct __sk_buff *skb)
{
	__u32 key = skb->mark;
	__u64 *value;

#ifdef FIX
	if (!has_map)
		return 0;
#endif
	value = bpf_map_lookup_elem(&optional, &key); /* FAIL FROM */
	return value ? 1 : 0;
}

char LICENSE[] SEC("license") = "GPL";
