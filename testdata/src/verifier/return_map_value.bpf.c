// program-exit-value R0: a program returns a pointer to a map value where 0 or 1 is expected.
#include "vmlinux.h"

struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, 8);
	__type(key, __u32);
	__type(value, __u64);
} known SEC(".maps");

SEC("cgroup_skb/egress")
long return_map_value(struct __sk_buff *skb)
{
	__u32 key = skb->mark;
	void *value = bpf_map_lookup_elem(&known, &key); /* FROM */

	if (!value)
		return 1;
#ifdef FIX
	return 0;
#else
	return (long)value;
#endif
} /* EXIT */

char LICENSE[] SEC("license") = "GPL";
