// allocated-object R2: an object that a tree owns is added once more.
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
int tree_added_twice(struct __sk_buff *skb)
{
	struct node *node = bpf_obj_new(struct node);

	if (!node)
		return 0;
	bpf_spin_lock(&lock);
	bpf_rbtree_add(&root, &node->tree, less); /* FROM */
#ifndef FIX
	bpf_rbtree_add(&root, &node->tree, less); /* FAIL */
#endif
	bpf_spin_unlock(&lock);
	return 0;
}

char LICENSE[] SEC("license") = "GPL";
