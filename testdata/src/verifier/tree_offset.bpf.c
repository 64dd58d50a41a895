// map-field R2: a node is removed from a tree by a pointer that is not to its tree member.
#include "vmlinux.h"

struct node {
	__u64 key;
	struct bpf_rb_node tree;
};

private(A) struct bpf_spin_lock lock;
private(A) struct bpf_rb_root root __contains(node, tree);

static bool less(struct bpf_rb_node *a, const struct bpf_rb_node *b)
{
	return container_of(a, struct node, tree)->key < container_of(b, struct node, tree)->key;
}

SEC("tc")
int tree_offset(struct __sk_buff *skb)
{
	struct node *node = bpf_obj_new(struct node); /* FROM */

	if (!node)
		return 0;
	node->key = skb->hash;
	bpf_spin_lock(&lock);
#ifdef FIX
	bpf_rbtree_add(&root, &node->tree, less);
#else
	bpf_rbtree_add(&root, (void *)node, less); /* FAIL FROM */
#endif
	bpf_spin_unlock(&lock);
	return 0;
}

char LICENSE[] SEC("license") = "GPL";
