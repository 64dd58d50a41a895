// SPDX-License-Identifier: MIT
// A module of the small kernel: types of its own that use those of the kernel.
#include "vmlinux.h"

struct veth_rq_stats {
	u64 vs[4];
	u64 dropped;
};

struct veth_rq {
	struct net_device *dev;
	struct veth_rq_stats stats;
	bool rx_notify_masked;
	struct list_head list;
};

struct veth_priv {
	struct net_device *peer;
	atomic64_t dropped;
	struct veth_rq *rq;
	unsigned int requested_headroom;
};

// A type of which only the module knows: candidates of CO-RE are looked up in it.
struct veth_only {
	u32 first;
	u32 marker;
};

enum { VETH_INFO_UNSPEC, VETH_INFO_PEER, __VETH_INFO_MAX };

struct veth_only veth_only;

int veth_xmit(struct sk_buff *skb, struct net_device *dev)
{
	struct veth_priv *priv = (struct veth_priv *)(dev + 1);

	priv->rq->stats.vs[0] += skb->len;
	return priv->requested_headroom;
}

void veth_close(struct net_device *dev)
{
	dev->flags &= ~1u;
}
