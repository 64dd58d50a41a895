// SPDX-License-Identifier: MIT
// Maps of many sorts: typed, by size only, in maps, with slots that are filled.
#include "bpf_helpers.h"

enum { BPF_MAP_TYPE_ARRAY_OF_MAPS = 12, BPF_MAP_TYPE_HASH_OF_MAPS = 13 };

struct flow {
	__u32 from, to;
	__u16 ports[2];
	__u8 proto;
};

struct counters {
	__u64 packets;
	__u64 bytes;
	struct {
		__u32 low : 12;
		__u32 high : 20;
	} marks[3];
};

struct inner_map {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, 4);
	__type(key, __u32);
	__type(value, __u64);
} inner1 SEC(".maps"), inner2 SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY_OF_MAPS);
	__uint(max_entries, 3);
	__uint(key_size, 4);
	__array(values, struct inner_map);
} outer_arr SEC(".maps") = { .values = { [0] = &inner1, [2] = &inner2 } };

struct {
	__uint(type, BPF_MAP_TYPE_HASH_OF_MAPS);
	__uint(max_entries, 8);
	__uint(key_size, 8);
	__uint(value_size, 4);
	__array(values, struct inner_map);
} outer_hash SEC(".maps");

int prog_tc(void *ctx);

struct {
	__uint(type, BPF_MAP_TYPE_PROG_ARRAY);
	__uint(max_entries, 2);
	__uint(key_size, 4);
	__array(values, int(void *));
} progs SEC(".maps") = { .values = { [1] = (void *)&prog_tc } };

struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, 1024);
	__uint(map_flags, 1);
	__uint(pinning, 1);
	__type(key, struct flow);
	__type(value, struct counters);
} flows SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, 1);
	__uint(key_size, sizeof(__u32));
	__uint(value_size, sizeof(struct counters));
} totals SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_RINGBUF);
	__uint(max_entries, 4096);
} events SEC(".maps");

struct counters first_counters = { 1, 2, { { 3, 4 }, { 5, 6 }, { 7, 8 } } };
const struct flow known_flows[2] = { { 1, 2, { 80, 443 }, 6 }, { 3, 4, { 53, 0 }, 17 } };
const char greeting[] = "a text of the read-only data";
static volatile __u32 seen;
__s8 small_numbers[5] = { -1, 0, 1, 127, -128 };

SEC("tc")
int prog_tc(void *ctx)
{
	struct flow flow = known_flows[seen & 1];
	struct counters *counters = bpf_map_lookup_elem(&flows, &flow);
	__u32 slot = 2;
	void *inner = bpf_map_lookup_elem(&outer_arr, &slot);

	if (counters)
		counters->packets += first_counters.bytes + small_numbers[seen % 5];
	if (inner && bpf_map_lookup_elem(inner, &slot))
		seen++;
	bpf_tail_call(ctx, &progs, 1);
	return greeting[seen % sizeof(greeting)];
}

SEC("xdp")
int prog_xdp(void *ctx)
{
	__u32 zero = 0;
	struct counters *counters = bpf_map_lookup_elem(&totals, &zero);
	__u64 *event = bpf_ringbuf_reserve(&events, 8, 0);

	if (event) {
		*event = counters ? counters->packets : 0;
		bpf_ringbuf_submit(event, 0);
	}
	bpf_map_lookup_elem(&outer_hash, &zero);
	return 2;
}

char LICENSE[] SEC("license") = "GPL";
