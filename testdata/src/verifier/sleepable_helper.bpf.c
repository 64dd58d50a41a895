// sleepable-call -: a program that cannot sleep calls a helper that may.
#include "vmlinux.h"

char buffer[16];

SEC("tp_btf/sys_enter")
int BPF_PROG(sleepable_helper, struct pt_regs *regs, long id)
{
#ifdef FIX
	bpf_probe_read_user(buffer, sizeof(buffer), (void *)id);
#else
	bpf_copy_from_user(buffer, sizeof(buffer), (void *)id); /* FAIL FROM? */
#endif
	return 0;
}

char LICENSE[] SEC("license") = "GPL";
