// SPDX-License-Identifier: MIT
// Counts packets a protocol and hands UDP to a second program: a small but whole
// XDP object, as one would load it.
//
// Look at: four maps described by types alone (.maps), globals in .rodata, .data
// and .bss, a tail call through a program array whose slot 0 is filled by a
// relocation in .maps, one global and one static subprogram, the licence.
#include "include/bpf_helpers.h"

struct xdp_md {
	__u32 data;
	__u32 data_end;
	__u32 data_meta;
	__u32 ingress_ifindex;
	__u32 rx_queue_index;
	__u32 egress_ifindex;
};

enum xdp_action { XDP_ABORTED, XDP_DROP, XDP_PASS, XDP_TX, XDP_REDIRECT };

struct ethhdr {
	__u8 h_dest[6];
	__u8 h_source[6];
	__be16 h_proto;
} __attribute__((packed));

struct iphdr {
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
	__u8 ihl : 4, version : 4;
#else
	__u8 version : 4, ihl : 4;
#endif
	__u8 tos;
	__be16 tot_len;
	__be16 id;
	__be16 frag_off;
	__u8 ttl;
	__u8 protocol;
	__u16 check;
	__be32 saddr;
	__be32 daddr;
};

struct counter {
	__u64 packets;
	__u64 bytes;
};

struct flow {
	__be32 saddr;
	__be32 daddr;
	__u8 protocol;
};

#define ETH_P_IP 0x0800
#define IPPROTO_UDP 17
#define NEXT_UDP 0

struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, 256);
	__type(key, __u32);
	__type(value, struct counter);
} protocols SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, 8192);
	__type(key, struct flow);
	__type(value, __u64);
} last_seen SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, enum xdp_action);
} verdict SEC(".maps");

int count_udp(struct xdp_md *ctx);

struct {
	__uint(type, BPF_MAP_TYPE_PROG_ARRAY);
	__uint(max_entries, 2);
	__uint(key_size, sizeof(__u32));
	__array(values, int(struct xdp_md *));
} next SEC(".maps") = {
	.values = { [NEXT_UDP] = &count_udp },
};

const volatile __u32 only_ifindex = 0;
const volatile _Bool track_flows = 1;
__u64 udp_limit = 1000000;
__u64 udp_seen;
static volatile __u32 too_short;

static __noinline struct iphdr *ipv4_header(struct xdp_md *ctx)
{
	void *data = (void *)(long)ctx->data;
	void *data_end = (void *)(long)ctx->data_end;
	struct ethhdr *eth = data;
	struct iphdr *ip = (void *)(eth + 1);

	if ((void *)(ip + 1) > data_end) {
		too_short++;
		return NULL;
	}
	return eth->h_proto == bpf_htons(ETH_P_IP) ? ip : NULL;
}

__noinline int count_bytes(__u32 protocol, __u64 bytes)
{
	struct counter *counter = bpf_map_lookup_elem(&protocols, &protocol);

	if (!counter)
		return -1;
	counter->packets++;
	counter->bytes += bytes;
	return 0;
}

SEC("xdp")
int count_packets(struct xdp_md *ctx)
{
	struct iphdr *ip;
	enum xdp_action *action;
	__u32 zero = 0;

	if (only_ifindex && ctx->ingress_ifindex != only_ifindex)
		return XDP_PASS;
	ip = ipv4_header(ctx);
	if (!ip)
		return XDP_PASS;
	count_bytes(ip->protocol, ctx->data_end - ctx->data);
	if (track_flows) {
		struct flow flow = { .saddr = ip->saddr, .daddr = ip->daddr };
		__u64 now = bpf_ktime_get_ns();

		flow.protocol = ip->protocol;
		bpf_map_update_elem(&last_seen, &flow, &now, 0);
	}
	if (ip->protocol == IPPROTO_UDP)
		bpf_tail_call(ctx, &next, NEXT_UDP);
	action = bpf_map_lookup_elem(&verdict, &zero);
	return action ? *action : XDP_PASS;
}

SEC("xdp")
int count_udp(struct xdp_md *ctx)
{
	return __sync_fetch_and_add(&udp_seen, 1) < udp_limit ? XDP_PASS : XDP_DROP;
}

char LICENSE[] SEC("license") = "Dual MIT/GPL";
