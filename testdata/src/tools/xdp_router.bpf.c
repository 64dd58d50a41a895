// SPDX-License-Identifier: MIT
#include <linux/bpf.h>
#include <bpf/bpf_helpers.h>
#include <bpf/bpf_endian.h>

#define ETH_P_IP 0x0800
#define ETH_ALEN 6
#define NUM_STAGES 3

struct ethhdr {
	unsigned char h_dest[ETH_ALEN];
	unsigned char h_source[ETH_ALEN];
	__be16 h_proto;
} __attribute__((packed));

struct iphdr {
	__u8 ihl : 4, version : 4;
	__u8 tos;
	__be16 tot_len, id, frag_off;
	__u8 ttl, protocol;
	__u16 check;
	__be32 saddr, daddr;
};

struct lpm_key {
	__u32 prefixlen;
	__be32 addr;
};

struct route {
	__u32 ifindex;
	unsigned char dmac[ETH_ALEN], smac[ETH_ALEN];
	struct { __u64 packets, bytes; } stats __attribute__((aligned(64)));
};

struct {
	__uint(type, BPF_MAP_TYPE_LPM_TRIE);
	__type(key, struct lpm_key);
	__type(value, struct route);
	__uint(max_entries, 1024);
	__uint(map_flags, BPF_F_NO_PREALLOC);
} routes SEC(".maps");

struct inner_map {
	__uint(type, BPF_MAP_TYPE_LRU_HASH);
	__uint(max_entries, 128);
	__type(key, __be32);
	__type(value, __u64);
} blocked_eth0 SEC(".maps"), blocked_eth1 SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY_OF_MAPS);
	__uint(max_entries, 2);
	__type(key, __u32);
	__array(values, struct inner_map);
} blocked SEC(".maps") = {
	.values = { &blocked_eth0, &blocked_eth1 },
};

int stage_parse(struct xdp_md *ctx);
int stage_route(struct xdp_md *ctx);

struct {
	__uint(type, BPF_MAP_TYPE_PROG_ARRAY);
	__uint(max_entries, NUM_STAGES);
	__uint(key_size, sizeof(__u32));
	__array(values, int(void *));
} stages SEC(".maps") = {
	.values = {
		[0] = (void *)&stage_parse,
		[1] = (void *)&stage_route,
	},
};

struct {
	__uint(type, BPF_MAP_TYPE_DEVMAP);
	__uint(max_entries, 64);
	__type(key, __u32);
	__type(value, __u32);
} tx_ports SEC(".maps");

static __always_inline struct iphdr *ip_of(struct xdp_md *ctx)
{
	void *data = (void *)(long)ctx->data, *end = (void *)(long)ctx->data_end;
	struct ethhdr *eth = data;
	struct iphdr *ip = (void *)(eth + 1);

	if ((void *)(ip + 1) > end || eth->h_proto != bpf_htons(ETH_P_IP))
		return (void *)0;
	return ip;
}

SEC("xdp")
int stage_parse(struct xdp_md *ctx)
{
	struct iphdr *ip = ip_of(ctx);
	__u32 port = ctx->ingress_ifindex & 1;
	void *inner;

	if (!ip)
		return XDP_PASS;
	inner = bpf_map_lookup_elem(&blocked, &port);
	if (inner && bpf_map_lookup_elem(inner, &ip->saddr))
		return XDP_DROP;
	bpf_tail_call(ctx, &stages, 1);
	return XDP_ABORTED;
}

SEC("xdp")
int stage_route(struct xdp_md *ctx)
{
	struct lpm_key key = { .prefixlen = 32 };
	struct iphdr *ip = ip_of(ctx);
	struct route *route;

	if (!ip)
		return XDP_PASS;
	key.addr = ip->daddr;
	route = bpf_map_lookup_elem(&routes, &key);
	if (!route)
		return XDP_PASS;
	route->stats.packets++;
	route->stats.bytes += ctx->data_end - ctx->data;
	return bpf_redirect_map(&tx_ports, route->ifindex, XDP_PASS);
}

char _license[] SEC("license") = "Dual BSD/GPL";
