// leak-to-memory R6: a program without CAP_PERFMON stores a pointer into a map value.
// OPTIONS caps=bpf
#include "vmlinux.h"

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, __u64);
} seen SEC(".maps");

SEC("socket")
int leak_pointer(struct __sk_buff *skb) /* FROM */
{
	__u32 zero = 0;
	__u64 *value = bpf_map_lookup_elem(&seen, &zero);

	if (!value)
		return 0;
#ifdef FIX
	*value = skb->len;
#else
	*value = (__u64)skb; /* FAIL */
#endif
	return 0;
}

char LICENSE[] SEC("license") = "GPL";
