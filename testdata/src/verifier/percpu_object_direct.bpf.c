// btf-pointer-space R0: a per-CPU object is read without a CPU.
#include "vmlinux.h"

void *bpf_percpu_obj_new_impl(__u64 local_type_id, void *meta) __ksym;
void bpf_percpu_obj_drop_impl(void *object, void *meta) __ksym;

struct counts {
	__u64 packets;
};

SEC("tc")
int percpu_object_direct(struct __sk_buff *skb)
{
	struct counts *counts = bpf_percpu_obj_new_impl(bpf_core_type_id_local(struct counts), NULL); /* FROM */
	__u64 packets;

	if (!counts)
		return 0;
#ifdef FIX
	packets = 0;
#else
	packets = *(volatile __u64 *)&counts->packets; /* FAIL */
#endif
	bpf_percpu_obj_drop_impl(counts, NULL);
	return packets & 1;
}

char LICENSE[] SEC("license") = "GPL";
