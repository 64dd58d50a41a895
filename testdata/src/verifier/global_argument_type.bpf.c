// global-func-args R1: a global function gets a number for its pointer argument.
#include "vmlinux.h"

struct request {
	__u32 id, size;
};

__noinline int accept_request(struct request *request)
{
	if (!request)
		return 0;
	return request->size < 128;
}

SEC("tc")
int global_argument_type(struct __sk_buff *skb)
{
#ifdef FIX
	struct request request = { .id = skb->mark, .size = skb->len };

	return accept_request(&request);
#else
	return accept_request((void *)(long)skb->mark); /* FAIL FROM */
#endif
}

char LICENSE[] SEC("license") = "GPL";
