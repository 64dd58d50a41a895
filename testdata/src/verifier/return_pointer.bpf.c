// program-exit-value R0: a pointer is returned instead of a number.
#include "vmlinux.h"

struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, 4);
	__type(key, __u32);
	__type(value, __u32);
} verdicts SEC(".maps");

SEC("cgroup_skb/ingress")
int return_pointer(struct __sk_buff *skb)
{
	__u32 key = skb->remote_port;
	__u32 *verdict = bpf_map_lookup_elem(&verdicts, &key); /* FROM */

	if (!verdict)
		return 1;
#ifdef FIX
	return *verdict != 0;
#else
	return (int)(long)verdict; /* FAIL */
#endif
} /* EXIT */

char LICENSE[] SEC("license") = "GPL";
