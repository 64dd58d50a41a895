// lock-order -: a resilient spin lock is released where taking it may have failed.
#include "vmlinux.h"

struct bpf_res_spin_lock {
	__u32 val;
};

int bpf_res_spin_lock(struct bpf_res_spin_lock *lock) __ksym;
void bpf_res_spin_unlock(struct bpf_res_spin_lock *lock) __ksym;

struct entry {
	struct bpf_res_spin_lock lock;
	__u32 count;
};

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, struct entry);
} entries SEC(".maps");

SEC("tc")
int resilient_lock_unchecked(struct __sk_buff *skb)
{
	__u32 key = 0;
	struct entry *entry = bpf_map_lookup_elem(&entries, &key);

	if (!entry)
		return 0;
#ifdef FIX
	if (bpf_res_spin_lock(&entry->lock))
		return 0;
#else
	bpf_res_spin_lock(&entry->lock);
#endif
	entry->count += 1;
	bpf_res_spin_unlock(&entry->lock); /* FAIL */
	return 0;
}

char LICENSE[] SEC("license") = "GPL";
