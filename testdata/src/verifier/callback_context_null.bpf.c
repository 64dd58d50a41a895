// invalid-mem-access R2: a callback follows its context, for which NULL was passed.
#include "vmlinux.h"

__u64 sum;

static long add(__u32 index, __u64 *limit)
{
	if (index < *limit) /* FAIL */
		sum += index;
	return 0;
}

SEC("tc")
int callback_context_null(struct __sk_buff *skb)
{
#ifdef FIX
	__u64 limit = 8;

	bpf_loop(16, add, &limit, 0);
#else
	bpf_loop(16, add, NULL, 0); /* FROM */
#endif
	return 0;
}

char LICENSE[] SEC("license") = "GPL";
