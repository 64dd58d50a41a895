// SPDX-License-Identifier: MIT
// Relocations that fill data, and sections with names of one's own.
//
// Look at: R_BPF_64_ABS64 in six data sections: a table of functions, pointers
// into the middle of arrays (the addend is in the 8 bytes themselves), a chain of
// structs, a struct_ops map whose slots are programs. Callbacks are addresses of
// code in a ld_imm64, the addend being the offset in .text. (libbpf itself follows
// only the pointers in .maps and .struct_ops; a linker follows all.)
#include "include/bpf_helpers.h"

struct step {
	const char *name;
	int (*run)(void *ctx);
	struct step *next;
	__u64 weight;
};

static __noinline int first(void *ctx)
{
	return 1;
}

static __noinline int second(void *ctx)
{
	return 2;
}

__noinline int third(void *ctx)
{
	return 3;
}

// Static functions go by section symbol and addend, the global one by its own.
int (*table[])(void *) = { first, second, third, 0, second };

// Pointers between data, forwards and backwards, into sections of other names.
extern struct step last;
struct step begin SEC(".data.steps") = { "begin", first, &last, 1 };
struct step last SEC(".data.steps") = { "last", third, &begin, 2 };

// The middle of arrays: the symbol is the array's, the rest is the addend.
int numbers[8] SEC(".data.numbers") = { 10, 11, 12, 13, 14, 15, 16, 17 };
static int hidden[8] SEC(".data.numbers") = { 20, 21, 22, 23, 24, 25, 26, 27 };
int *middle SEC(".data.middle") = &numbers[5];
int *hidden_middle SEC(".data.middle") = &hidden[2];

// Read-only pointers, and a section of zeros under an own name; libbpf makes a map
// of .bss alone, so only data points to this one.
const char greeting[] SEC(".rodata.text") = "hello";
const char *const text SEC(".rodata.pointers") = greeting + 1;
__u64 scratch[16] SEC(".bss.scratch");
__u64 *cursor SEC(".data.cursor") = &scratch[3];

// A struct_ops map: the kernel calls these programs in place of its own functions.
struct sock;

struct sample_ops {
	void (*init)(struct sock *sk);
	__u32 (*ssthresh)(struct sock *sk);
	__u32 flags;
	char name[16];
};

__u64 begun;

SEC("struct_ops/init")
void ops_init(__u64 *ctx)
{
	begun = ctx[0];
}

SEC("struct_ops/ssthresh")
__u32 ops_ssthresh(__u64 *ctx)
{
	return 2;
}

SEC(".struct_ops.link")
struct sample_ops sample_ops = {
	.init = (void *)ops_init,
	.ssthresh = (void *)ops_ssthresh,
	.flags = 1,
	.name = "sample",
};

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, 16);
	__type(key, __u32);
	__type(value, __u64);
} sums SEC(".maps");

static __noinline int add_round(__u32 round, void *ctx)
{
	*(__u64 *)ctx += round;
	return 0;
}

static __noinline long add_entry(void *map, const __u32 *key, __u64 *value, void *ctx)
{
	*(__u64 *)ctx += *value;
	return 0;
}

SEC("syscall")
int run(void *ctx)
{
	__u64 sum = 0;

	bpf_loop(10, add_round, &sum, 0);
	bpf_for_each_map_elem(&sums, add_entry, &sum, 0);
	sum += (__u64)begin.weight + *hidden_middle + (__u64)text[0];
	*cursor = sum + (table[3] ? 1 : 0) + *middle;
	return (int)sum;
}

char LICENSE[] SEC("license") = "GPL";
