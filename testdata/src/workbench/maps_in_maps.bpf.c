#include "vmlinux.h"
#include <bpf/bpf_helpers.h>

struct inner {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, 4);
	__type(key, int);
	__type(value, long);
};
struct inner first SEC(".maps"), second SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_HASH_OF_MAPS);
	__uint(max_entries, 2);
	__type(key, __u32);
	__array(values, struct inner);
} outer SEC(".maps") = { .values = { &first, &second } };

int handler(void *ctx) { return 1; }

struct {
	__uint(type, BPF_MAP_TYPE_PROG_ARRAY);
	__uint(max_entries, 3);
	__uint(key_size, sizeof(__u32));
	__array(values, int (void *));
} jumps SEC(".maps") = { .values = { [2] = (void *)&handler } };

char _license[] SEC("license") = "GPL";
