// uninit-register R1: assembly reads an argument register after a call has lost it.
#include "vmlinux.h"

SEC("tc")
__naked int register_clobbered(void)
{
#ifdef FIX
	asm volatile("r6 = r1");
#endif
	asm volatile("call %[bpf_get_smp_processor_id]" ::[bpf_get_smp_processor_id] "i"(BPF_FUNC_get_smp_processor_id)); /* FROM */
#ifdef FIX
	asm volatile("r0 = *(u32 *)(r6 + 0)");
#else
	asm volatile("r0 = *(u32 *)(r1 + 0)"); /* FAIL */
#endif
	asm volatile("exit");
}

char LICENSE[] SEC("license") = "GPL";
