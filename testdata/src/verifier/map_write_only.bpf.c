// map-read-forbidden R0: a program reads a map that it may only write.
#include "vmlinux.h"

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(map_flags, BPF_F_WRONLY_PROG);
	__uint(max_entries, 4);
	__type(key, __u32);
	__type(value, __u64);
} counts SEC(".maps");

SEC("tc")
int map_write_only(struct __sk_buff *skb)
{
	__u32 key = 0;
	__u64 *count = bpf_map_lookup_elem(&counts, &key); /* FROM */

	if (!count)
		return 0;
#ifdef FIX
	*count = 1;
	return 0;
#else
	return *count; /* FAIL */
#endif
}

char LICENSE[] SEC("license") = "GPL";
