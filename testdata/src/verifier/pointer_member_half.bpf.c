// btf-struct-access R1: a half of a pointer in a kernel struct is read.
#include "vmlinux.h"

__u64 seen;

SEC("tp_btf/sched_switch")
int BPF_PROG(pointer_member_half, bool preempt, struct task_struct *prev) /* FROM */
{
#ifdef FIX
	seen = (__u64)prev->mm;
#else
	seen = *(volatile __u32 *)((char *)&prev->mm + 4); /* FAIL */
#endif
	return 0;
}

char LICENSE[] SEC("license") = "GPL";
