// invalid-mem-access R0: a function returns a value that may be NULL, and its caller reads it without a check.
#include "vmlinux.h"

struct config {
	__u32 enabled, threshold;
};

struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, 8);
	__type(key, __u32);
	__type(value, struct config);
} configs SEC(".maps");

static __noinline struct config *config_of(__u32 ifindex)
{
	return bpf_map_lookup_elem(&configs, &ifindex); /* FROM */
}

SEC("xdp")
int null_subprogram(struct xdp_md *ctx)
{
	struct config *config = config_of(ctx->ingress_ifindex);
#ifdef FIX
	if (!config)
		return XDP_PASS;
#endif
	return config->enabled ? XDP_DROP : XDP_PASS; /* FAIL */
}

char LICENSE[] SEC("license") = "GPL";
