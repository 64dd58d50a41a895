// graph-lock-not-held R1: a node is added to a list without its lock.
#include "vmlinux.h"

struct node {
	__u64 key;
	struct bpf_list_node list;
};

private(A) struct bpf_spin_lock lock;
private(A) struct bpf_list_head head __contains(node, list);

SEC("tc")
int list_without_lock(struct __sk_buff *skb)
{
	struct node *node = bpf_obj_new(struct node);

	if (!node)
		return 0;
	node->key = skb->hash;
#ifdef FIX
	bpf_spin_lock(&lock);
	bpf_list_push_front(&head, &node->list);
	bpf_spin_unlock(&lock);
#else
	bpf_list_push_front(&head, &node->list); /* FAIL */
	if (skb->mark == 9) {
		bpf_spin_lock(&lock);
		bpf_spin_unlock(&lock);
	}
#endif
	return 0;
}

char LICENSE[] SEC("license") = "GPL";
