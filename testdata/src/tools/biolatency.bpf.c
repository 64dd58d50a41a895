// SPDX-License-Identifier: MIT
#include "vmlinux.h"
#include <bpf/bpf_helpers.h>
#include <bpf/bpf_core_read.h>
#include <bpf/bpf_tracing.h>

#define MAX_ENTRIES	10240
#define MAX_SLOTS	27
#define MINORBITS	20
#define MKDEV(ma, mi)	(((ma) << MINORBITS) | (mi))

extern int LINUX_KERNEL_VERSION __kconfig;
extern bool CONFIG_BLK_CGROUP __kconfig __weak;

struct hist_key {
	u32 cmd_flags;
	u32 dev;
};

struct hist {
	__u32 slots[MAX_SLOTS];
};

/* Before 5.17 the disk was a member of the request. */
struct request___old {
	struct gendisk *rq_disk;
} __attribute__((preserve_access_index));

const volatile bool targ_per_disk = false;
const volatile bool targ_ms = false;
const volatile __u32 targ_dev = 0;

struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, MAX_ENTRIES);
	__type(key, struct request *);
	__type(value, u64);
} start SEC(".maps");

static struct hist initial_hist;

struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, MAX_ENTRIES);
	__type(key, struct hist_key);
	__type(value, struct hist);
	__uint(pinning, LIBBPF_PIN_BY_NAME);
} hists SEC(".maps");

static __always_inline u64 log2l(u64 v)
{
	u64 r = 0;

	while (v >>= 1)
		r++;
	return r;
}

static struct gendisk *get_disk(void *request)
{
	struct request___old *r = request;

	if (bpf_core_field_exists(r->rq_disk))
		return BPF_CORE_READ(r, rq_disk);
	return BPF_CORE_READ((struct request *)request, q, disk);
}

static int __always_inline trace_rq_start(struct request *rq, int issue)
{
	u64 ts = bpf_ktime_get_ns();

	if (targ_dev) {
		struct gendisk *disk = get_disk(rq);
		u32 dev = disk ? MKDEV(BPF_CORE_READ(disk, major), BPF_CORE_READ(disk, first_minor)) : 0;

		if (targ_dev != dev)
			return 0;
	}
	bpf_map_update_elem(&start, &rq, &ts, 0);
	return 0;
}

SEC("tp_btf/block_rq_issue")
int BPF_PROG(block_rq_issue_btf, struct request *rq)
{
	return trace_rq_start(rq, true);
}

SEC("raw_tp/block_rq_complete")
int BPF_PROG(block_rq_complete, struct request *rq, int error, unsigned int nr_bytes)
{
	u64 slot, *tsp, ts = bpf_ktime_get_ns();
	struct hist_key hkey = {};
	struct hist *histp;

	tsp = bpf_map_lookup_elem(&start, &rq);
	if (!tsp)
		return 0;
	hkey.cmd_flags = BPF_CORE_READ(rq, cmd_flags);
	if (targ_per_disk)
		hkey.dev = LINUX_KERNEL_VERSION;
	histp = bpf_map_lookup_elem(&hists, &hkey);
	if (!histp) {
		bpf_map_update_elem(&hists, &hkey, &initial_hist, 0);
		histp = bpf_map_lookup_elem(&hists, &hkey);
		if (!histp)
			return 0;
	}
	slot = log2l((ts - *tsp) / (targ_ms ? 1000000U : 1000U));
	if (slot >= MAX_SLOTS)
		slot = MAX_SLOTS - 1;
	__sync_fetch_and_add(&histp->slots[slot], 1);
	bpf_map_delete_elem(&start, &rq);
	return 0;
}

char LICENSE[] SEC("license") = "GPL";
