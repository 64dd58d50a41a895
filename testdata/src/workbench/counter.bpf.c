// SPDX-License-Identifier: GPL-2.0
#include "vmlinux.h"
#include <bpf/bpf_helpers.h>

#define MAX_CPUS 128
#define KB(n) ((n) << 10)

struct stats {
	__u64 packets;
	__u64 bytes;
};

struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, struct stats);
} counters SEC(".maps");

const volatile __u32 limit = KB(4);
int ifindexes[MAX_CPUS];
static __u64 dropped;

SEC("xdp")
int count(struct xdp_md *ctx)
{
	__u32 key = 0;
	struct stats *s = bpf_map_lookup_elem(&counters, &key);

	if (!s)
		return XDP_ABORTED;
	s->packets++;
	s->bytes += ctx->data_end - ctx->data;
	if (s->bytes > limit) {
		dropped++;
		return XDP_DROP;
	}
	return XDP_PASS;
}

char LICENSE[] SEC("license") = "GPL";
