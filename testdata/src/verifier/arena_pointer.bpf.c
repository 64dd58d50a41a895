// invalid-mem-access R0: an address of an arena is used without a cast to its address space.
#include "vmlinux.h"

#define __arena __attribute__((address_space(1)))

struct {
	__uint(type, 33); /* BPF_MAP_TYPE_ARENA */
	__uint(map_flags, 1 << 10); /* BPF_F_MMAPABLE */
	__uint(max_entries, 2);
} arena SEC(".maps");

void __arena *bpf_arena_alloc_pages(void *map, void __arena *address, __u32 count, int node,
				    __u64 flags) __ksym;

SEC("syscall")
int arena_pointer(void *ctx)
{
	__u64 page = (__u64)bpf_arena_alloc_pages(&arena, NULL, 1, -1, 0); /* FROM */

	if (!page)
		return 1;
#ifdef FIX
	asm volatile("" : "+r"(page));
#else
	*(__u64 *)page = 1; /* FAIL */
#endif
	return 0;
}

char LICENSE[] SEC("license") = "GPL";
