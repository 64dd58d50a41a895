// SPDX-License-Identifier: MIT
// Functions of all sorts: global, static, weak, in a section of their own, called
// through a pointer in data, handed to a helper, recursive in type only.
#include "bpf_helpers.h"

struct state {
	__u64 sum;
	__u32 rounds;
	int (*visit)(__u32 index, struct state *state);
};

struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, 16);
	__type(key, __u32);
	__type(value, __u64);
} seen SEC(".maps");

__u64 total;

static __noinline int add_one(__u32 index, struct state *state)
{
	state->sum += index;
	return state->sum > 1000;
}

static __noinline long each(void *map, __u32 *key, __u64 *value, struct state *state)
{
	state->sum += *value + *key;
	return 0;
}

__noinline int checked(int depth, const char *name)
{
	if (depth > 8)
		return depth * 3;
	return name ? name[0] : depth;
}

__weak __noinline int replaceable(void)
{
	total += 2;
	return total & 1;
}

static __noinline __u64 spread(__u64 a, __u64 b, __u64 c, __u64 d, __u64 e)
{
	switch (a & 15) {
	case 0: return b;
	case 1: return c * 3;
	case 2: return d / (e | 1);
	case 3: return a % (b | 1);
	case 4: return a << (b & 63);
	case 5: return (__s64)a >> (c & 63);
	case 6: return __builtin_bswap32(d);
	default: return a ^ b ^ c ^ d ^ e;
	}
}

SEC("kprobe/a_function")
int entry(__u64 *ctx)
{
	struct state state = { .rounds = 4, .visit = add_one };

	bpf_loop(10, add_one, &state, 0);
	bpf_for_each_map_elem(&seen, each, &state, 0);
	total += spread(ctx[0], ctx[1], ctx[2], ctx[3], ctx[4]);
	return checked(state.sum, "entry") + replaceable();
}

SEC("kretprobe/a_function")
int leave(__u64 *ctx)
{
	__u8 *bytes = (void *)ctx;
	int sum = 0;

	for (int i = 0; i < 16; i++)
		sum += bytes[i] * ((__s8)bytes[i + 1]);
	__sync_fetch_and_add(&total, sum);
	return checked(sum, "leave");
}

char LICENSE[] SEC("license") = "GPL";
