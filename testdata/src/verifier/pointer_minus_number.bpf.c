// pointer-math-unbounded R1: a number without bounds is subtracted from a pointer to a map value.
#include "vmlinux.h"

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, __u64[8]);
} slots SEC(".maps");

SEC("tc")
int pointer_minus_number(struct __sk_buff *skb)
{
	__u32 key = 0;
	__u64 *slot = bpf_map_lookup_elem(&slots, &key);
	__u64 number;

	if (!slot)
		return 0;
	number = slot[0]; /* FROM */
#ifdef FIX
	number &= 7;
	slot += 7;
#endif
	asm volatile("r1 = %1;" /* FAIL */
		     "%0 -= r1;"
		     : "+r"(slot) : "r"(number) : "r1");
	return slot != 0;
}

char LICENSE[] SEC("license") = "GPL";
