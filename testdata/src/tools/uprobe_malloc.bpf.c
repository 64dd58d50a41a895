// SPDX-License-Identifier: MIT
#include "vmlinux.h"
#include <bpf/bpf_helpers.h>
#include <bpf/bpf_tracing.h>
#include <bpf/bpf_core_read.h>

enum kind : __u8 { KIND_MALLOC, KIND_CALLOC, KIND_MMAP };

typedef struct alloc_info {
	size_t size;
	__u64 timestamp_ns;
	int stack_id;
	enum kind kind;
} alloc_info_t;

union combined {
	struct {
		__u64 total_size : 40;
		__u64 number_of_allocs : 24;
	};
	__u64 bits;
};

const volatile size_t min_size = 0, max_size = -1;
const volatile bool trace_all;

struct {
	__uint(type, BPF_MAP_TYPE_LRU_PERCPU_HASH);
	__type(key, pid_t);
	__type(value, size_t);
	__uint(max_entries, 10240);
} sizes SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__type(key, void *);
	__type(value, alloc_info_t);
	__uint(max_entries, 1000000);
} allocs SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__type(key, __u64);
	__type(value, union combined);
	__uint(max_entries, 10240);
} combined_allocs SEC(".maps");

static union combined initial_cinfo;

static int gen_alloc_enter(size_t size)
{
	pid_t pid = bpf_get_current_pid_tgid() >> 32;

	if (size < min_size || size > max_size)
		return 0;
	bpf_map_update_elem(&sizes, &pid, &size, BPF_ANY);
	return 0;
}

static int gen_alloc_exit(void *ctx, void *address, enum kind kind)
{
	pid_t pid = bpf_get_current_pid_tgid() >> 32;
	size_t *size = bpf_map_lookup_elem(&sizes, &pid);
	alloc_info_t info = {};

	if (!size)
		return 0;
	info.size = *size;
	info.timestamp_ns = bpf_ktime_get_ns();
	info.kind = kind;
	if (trace_all)
		bpf_printk("alloc exited, size = %lu, result = %p", info.size, address);
	bpf_map_update_elem(&allocs, &address, &info, BPF_ANY);
	bpf_map_update_elem(&combined_allocs, &info.timestamp_ns, &initial_cinfo, BPF_NOEXIST);
	return 0;
}

SEC("uprobe")
int BPF_UPROBE(malloc_enter, size_t size)
{
	return gen_alloc_enter(size);
}

SEC("uretprobe")
int BPF_URETPROBE(malloc_exit, void *address)
{
	return gen_alloc_exit(ctx, address, KIND_MALLOC);
}

SEC("ksyscall/munmap")
int BPF_KSYSCALL(munmap_enter, unsigned long addr, size_t len)
{
	return bpf_map_delete_elem(&allocs, &addr);
}

char LICENSE[] SEC("license") = "GPL";
