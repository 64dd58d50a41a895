// graph-node R2: an object of another struct is added to a list.
#include "vmlinux.h"

struct item {
	int value;
	struct bpf_list_node node;
};

struct other {
	int value;
	int more;
	struct bpf_list_node node;
};

private(A) struct bpf_spin_lock lock;
private(A) struct bpf_list_head items __contains(item, node);
struct item *item;

SEC("tc")
int list_other_node(struct __sk_buff *skb)
{
#ifdef FIX
	struct item *added = bpf_obj_new(struct item);
#else
	struct other *added = bpf_obj_new(struct other); /* FROM */
#endif

	if (!added)
		return 0;
	bpf_spin_lock(&lock);
	bpf_list_push_front(&items, &added->node); /* FAIL */
	bpf_spin_unlock(&lock);
	return 0;
}

char LICENSE[] SEC("license") = "GPL";
