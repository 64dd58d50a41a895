// map-value-bounds R3: a loop over a length of the context walks past the end of the buffer.
#include "vmlinux.h"

struct buffer {
	__u8 bytes[64];
};

struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, struct buffer);
} buffers SEC(".maps");

SEC("tc")
int map_value_loop(struct __sk_buff *skb)
{
	__u32 key = 0, sum = 0;
	struct buffer *buffer = bpf_map_lookup_elem(&buffers, &key);

	if (!buffer)
		return 0;
#ifdef FIX
	for (__u32 i = 0; i < 64; i++) {
#else
	for (__u32 i = 0; i < 80; i++) {
#endif
		barrier_var(i); /* FROM */
		if (i >= skb->len)
			break;
#ifdef FIX
		if (i >= 64)
			break;
#endif
		sum += buffer->bytes[i]; /* FAIL FROM */
	}
	return sum & 1;
}

char LICENSE[] SEC("license") = "GPL";
