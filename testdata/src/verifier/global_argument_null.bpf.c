// invalid-mem-access R1: a global function reads its pointer argument, which may be NULL, without a check.
#include "vmlinux.h"

struct request {
	__u32 id, size;
};

__noinline int accept_request(struct request *request) /* FROM? */
{
#ifdef FIX
	if (!request)
		return 0;
#endif
	return request->size < 128; /* FAIL */
}

SEC("tc")
int global_argument_null(struct __sk_buff *skb)
{
	struct request request = { .id = skb->mark, .size = skb->len };

	return accept_request(&request);
}

char LICENSE[] SEC("license") = "GPL";
