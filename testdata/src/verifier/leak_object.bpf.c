// unreleased-reference ref: an allocated object is not dropped.
#include "vmlinux.h"

struct node {
	__u64 key;
	__u64 value;
};

SEC("tc")
int leak_object(struct __sk_buff *skb)
{
	struct node *node = bpf_obj_new(struct node); /* FROM */

	if (!node)
		return 0;
	node->key = skb->hash;
#ifdef FIX
	bpf_obj_drop(node);
#endif
	return 0; /* FAIL */
} /* EXIT */

char LICENSE[] SEC("license") = "GPL";
