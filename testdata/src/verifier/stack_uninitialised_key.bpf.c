// stack-indirect-uninit fp-8: padding of the key on the stack is not written before the lookup.
// OPTIONS caps=bpf
#include "vmlinux.h"

struct key {
	__u8 protocol;
	__u32 address;
};

struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, 64);
	__type(key, struct key);
	__type(value, __u64);
} flows SEC(".maps");

SEC("cgroup_skb/ingress")
int stack_uninitialised_key(struct __sk_buff *skb)
{
#ifdef FIX
	struct key key;

	__builtin_memset(&key, 0, sizeof(key));
	key.address = skb->remote_ip4;
#else
	struct key key = { .address = skb->remote_ip4 }; /* FROM? */
#endif
	__u64 *bytes;

	key.protocol = IPPROTO_TCP;
	bytes = bpf_map_lookup_elem(&flows, &key); /* FAIL */
	if (bytes)
		__sync_fetch_and_add(bytes, skb->len);
	return 1;
}

char LICENSE[] SEC("license") = "GPL";
