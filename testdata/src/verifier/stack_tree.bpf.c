// stack-size -: the stacks of a program and of the callback of bpf_rbtree_add are more than 512 bytes.
#include "vmlinux.h"

#ifdef FIX
#define SIZE 96
#else
#define SIZE 240
#endif

struct node {
	__u64 key;
	struct bpf_rb_node tree;
};

private(A) struct bpf_spin_lock lock;
private(A) struct bpf_rb_root root __contains(node, tree);

static bool less(struct bpf_rb_node *a, const struct bpf_rb_node *b)
{
	volatile char text[SIZE + 64];
	__u64 key = container_of(a, struct node, tree)->key;

	text[key & 31] = 1;
	return text[3] || key < container_of(b, struct node, tree)->key;
}

SEC("tc")
int stack_tree(struct __sk_buff *skb)
{
	struct node *node = bpf_obj_new(struct node);
	volatile char text[SIZE];

	if (!node)
		return 0;
	text[skb->len & 31] = 1;
	node->key = skb->hash;
	bpf_spin_lock(&lock);
	bpf_rbtree_add(&root, &node->tree, less); /* FROM */
	bpf_spin_unlock(&lock);
	return text[2];
}

char LICENSE[] SEC("license") = "GPL";
