#include <linux/bpf.h>
#include <bpf/bpf_helpers.h>
#include <bpf/bpf_endian.h>

#pragma pack(push, 1)
struct ethhdr {
	unsigned char h_dest[6];
	unsigned char h_source[6];
	__be16 h_proto;
};

struct vlan_hdr { __be16 tci; __be16 proto; };
#pragma pack(pop)

struct iphdr {
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
	__u8 ihl : 4, version : 4;
#else
	__u8 version : 4, ihl : 4;
#endif
	__u8 tos;
	__be16 tot_len;
	__be16 id, frag_off;
	__u8 ttl, protocol;
	__sum16 check;
	union { struct { __be32 saddr, daddr; }; struct { __be32 s, d; } addrs; };
};
_Static_assert(sizeof(struct ethhdr) == 14, "ethhdr");
_Static_assert(sizeof(struct iphdr) == 20, "iphdr");
_Static_assert(offsetof(struct iphdr, protocol) == 9, "protocol");

struct frame { struct ethhdr eth; struct vlan_hdr vlans[2]; struct iphdr ip; } __attribute__((aligned(4)));

struct flow_key { __be32 saddr, daddr; __u8 proto; } __attribute__((packed, aligned(2)));

struct {
	__uint(type, BPF_MAP_TYPE_LRU_HASH);
	__uint(max_entries, 1 << 16);
	__type(key, struct flow_key);
	__type(value, struct frame);
	__uint(pinning, LIBBPF_PIN_BY_NAME);
} flows SEC(".maps");

SEC("xdp.frags") int parse(struct xdp_md *ctx) { return XDP_PASS; }
char _license[] SEC("license") = "GPL";
