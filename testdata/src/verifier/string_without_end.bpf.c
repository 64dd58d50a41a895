// constant-string R3: a string has no terminating zero.
#include "vmlinux.h"

char name[16];
#ifdef FIX
const char expected[] = "eth0";
#else
const char expected[4] = { 'e', 't', 'h', '0' };
#endif

SEC("tc")
int string_without_end(struct __sk_buff *skb)
{
	return bpf_strncmp(name, 4, expected); /* FAIL FROM */
}

char LICENSE[] SEC("license") = "GPL";
