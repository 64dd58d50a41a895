// helper-flags R2: flags are passed to a helper that has none.
#include "vmlinux.h"

struct {
	__uint(type, BPF_MAP_TYPE_CGROUP_STORAGE);
	__type(key, struct bpf_cgroup_storage_key);
	__type(value, __u64);
} counts SEC(".maps");

#ifdef FIX
#define FLAGS 0
#else
#define FLAGS 1
#endif

SEC("cgroup_skb/egress")
int storage_flags(struct __sk_buff *skb)
{
	__u64 *count = bpf_get_local_storage(&counts, FLAGS); /* FAIL FROM */

	return *count & 1;
}

char LICENSE[] SEC("license") = "GPL";
