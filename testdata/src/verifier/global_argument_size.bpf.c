// global-func-args R1: a global function gets a variable that is smaller than its parameter.
#include "vmlinux.h"

struct request {
	char name[64];
};

__noinline int first_letter(struct request *request)
{
	return request ? request->name[0] : 0;
}

SEC("tc")
int global_argument_size(struct __sk_buff *skb)
{
#ifdef FIX
	struct request request = {};
#else
	__u64 request = 0; /* FROM? */
#endif

	return first_letter((void *)&request); /* FAIL FROM */
}

char LICENSE[] SEC("license") = "GPL";
