// reference-leak ref: bpf_throw is called while a task is held.
#include "vmlinux.h"

void bpf_throw(__u64 cookie) __ksym;

SEC("tc")
int throw_with_task(struct __sk_buff *skb)
{
	struct task_struct *task = bpf_task_from_pid(1); /* FROM */

	if (!task)
		return 0;
#ifdef FIX
	bpf_task_release(task);
#endif
	if (skb->mark)
		bpf_throw(0); /* FAIL */
#ifndef FIX
	bpf_task_release(task);
#endif
	return 0;
}

char LICENSE[] SEC("license") = "GPL";
