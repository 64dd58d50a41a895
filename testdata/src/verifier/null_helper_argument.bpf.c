// helper-arg-type R2: the value of one map is the key of a lookup in another without a check for NULL.
#include "vmlinux.h"

struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, 64);
	__type(key, __u32);
	__type(value, __u32);
} zones SEC(".maps"), limits SEC(".maps");

SEC("tc")
int null_helper_argument(struct __sk_buff *skb)
{
	__u32 key = skb->ifindex;
	__u32 *zone, *limit;

	zone = bpf_map_lookup_elem(&zones, &key); /* FROM */
#ifdef FIX
	if (!zone)
		return 0;
#endif
	limit = bpf_map_lookup_elem(&limits, zone); /* FAIL */
	if (!limit)
		return 0;
	return *limit > skb->len;
}

char LICENSE[] SEC("license") = "GPL";
