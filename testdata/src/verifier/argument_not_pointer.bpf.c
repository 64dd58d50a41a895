// helper-arg-type R2: a number is given where a pointer to the key is expected.
#include "vmlinux.h"

struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, 64);
	__type(key, __u32);
	__type(value, __u64);
} counts SEC(".maps");

SEC("tc")
int argument_not_pointer(struct __sk_buff *skb)
{
	__u32 key = skb->ifindex; /* FROM */
	__u64 *count;

#ifdef FIX
	count = bpf_map_lookup_elem(&counts, &key);
#else
	count = bpf_map_lookup_elem(&counts, (void *)(long)key); /* FAIL */
#endif
	return count ? 1 : 0;
}

char LICENSE[] SEC("license") = "GPL";
