// allocated-object R1: an object without a bpf_refcount is acquired once more.
#include "vmlinux.h"

void *bpf_refcount_acquire_impl(void *object, void *meta) __ksym;

struct item {
	__u64 key;
#ifdef FIX
	struct bpf_refcount refs;
#endif
	struct bpf_rb_node tree;
};

SEC("tc")
int refcount_missing(struct __sk_buff *skb)
{
	struct item *item = bpf_obj_new(struct item), *other; /* FROM */

	if (!item)
		return 0;
	other = bpf_refcount_acquire_impl(item, NULL); /* FAIL */
	bpf_obj_drop(item);
	if (other)
		bpf_obj_drop(other);
	return 0;
}

char LICENSE[] SEC("license") = "GPL";
