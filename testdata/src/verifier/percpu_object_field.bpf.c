// allocation-type R1: a per-CPU object has a node of a tree.
#include "vmlinux.h"

void *bpf_percpu_obj_new_impl(__u64 local_type_id, void *meta) __ksym;
void bpf_percpu_obj_drop_impl(void *object, void *meta) __ksym;

struct counts {
	__u64 packets;
#ifndef FIX
	struct bpf_rb_node tree;
#endif
};

SEC("tc")
int percpu_object_field(struct __sk_buff *skb)
{
	struct counts *counts = bpf_percpu_obj_new_impl(bpf_core_type_id_local(struct counts), NULL); /* FAIL FROM */

	if (!counts)
		return 0;
	bpf_percpu_obj_drop_impl(counts, NULL);
	return 0;
}

char LICENSE[] SEC("license") = "GPL";
