// SPDX-License-Identifier: MIT
// CO-RE records of types that only a module has, and of one that nobody has.
#include "bpf_helpers.h"
#include "bpf_core.h"

struct veth_only {
	__u32 marker;
	__u32 absent;
} __core;

struct net_device {
	int ifindex;
} __core;

struct veth_priv {
	struct net_device *peer;
	unsigned int requested_headroom;
} __core;

struct veth_rq_stats {
	__u64 vs[2];
	__u32 dropped;
} __core;

struct nf_conn {
	__u32 mark;
	__u32 status;
} __core;

struct no_module_has_it {
	int x;
} __core;

__u64 out[32];

SEC("raw_tp/x")
int f(__u64 *ctx)
{
	struct veth_only *only = (void *)ctx[0];
	struct veth_priv *priv = (void *)ctx[1];
	struct veth_rq_stats *stats = (void *)ctx[2];
	struct nf_conn *conn = (void *)ctx[3];
	struct no_module_has_it *none = (void *)ctx[4];

	out[0] = only->marker;
	out[1] = core_field_exists(only->absent);
	if (core_field_exists(only->absent))
		out[2] = only->absent;
	out[3] = priv->peer->ifindex;
	out[4] = priv->requested_headroom;
	out[5] = core_field_offset(priv->requested_headroom);
	out[6] = stats->vs[1];
	out[7] = stats->dropped;
	out[8] = core_field_size(stats->dropped);
	out[9] = conn->mark;
	out[10] = conn->status;
	out[11] = core_type_id_target(struct nf_conn);
	out[12] = core_type_exists(struct veth_priv);
	out[13] = core_type_size(struct veth_rq_stats);
	out[14] = core_type_exists(struct no_module_has_it);
	out[15] = core_field_exists(none->x);
	out[16] = none->x;
	return 0;
}

char LICENSE[] SEC("license") = "GPL";
