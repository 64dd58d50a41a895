// helper-size-zero R4: the size of an output may be zero, which this helper refuses.
#include "vmlinux.h"

struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, 4);
	__type(key, __u32);
	__type(value, char[64]);
} scratch SEC(".maps");

SEC("tc")
int size_zero(struct __sk_buff *skb)
{
	__u32 key = 0, length = skb->len & 63; /* FROM */
	char *to = bpf_map_lookup_elem(&scratch, &key);

	if (!to)
		return 0;
#ifdef FIX
	if (length == 0)
		return 0;
#endif
	return bpf_skb_load_bytes(skb, 0, to, length) < 0; /* FAIL */
}

char LICENSE[] SEC("license") = "GPL";
