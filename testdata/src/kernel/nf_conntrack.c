// SPDX-License-Identifier: MIT
// A module with a .BTF_ids section, as include/linux/btf_ids.h lays it out: a list
// of two struct ids (BTF_ID_LIST) and a set of ten kernel functions with flags
// (BTF_SET8). The ids are 0 here and are filled in from the BTF that pahole writes,
// as tools/bpf/resolve_btfids of Linux does.
#include "vmlinux.h"

struct nf_conn {
	u32 status;
	u32 timeout;
	struct net *ct_net;
	u32 mark;
};

struct nf_conn___init {
	struct nf_conn ct;
};

struct bpf_ct_opts {
	s32 netns_id;
	s32 error;
	u8 l4proto;
	u8 dir;
};

#define __used __attribute__((used))

__used struct nf_conn___init *bpf_xdp_ct_alloc(void *ctx, struct bpf_ct_opts *opts)
{
	return opts->error ? (void *)0 : ctx;
}

__used struct nf_conn *bpf_xdp_ct_lookup(void *ctx, struct bpf_ct_opts *opts)
{
	return opts->error ? (void *)0 : ctx;
}

__used struct nf_conn___init *bpf_skb_ct_alloc(struct sk_buff *skb, struct bpf_ct_opts *opts)
{
	return opts->error ? (void *)0 : (void *)skb->data;
}

__used struct nf_conn *bpf_skb_ct_lookup(struct sk_buff *skb, struct bpf_ct_opts *opts)
{
	return opts->error ? (void *)0 : (void *)skb->data;
}

__used struct nf_conn *bpf_ct_insert_entry(struct nf_conn___init *entry)
{
	return &entry->ct;
}

__used void bpf_ct_release(struct nf_conn *ct)
{
	ct->status = 0;
}

__used void bpf_ct_set_timeout(struct nf_conn___init *entry, u32 timeout)
{
	entry->ct.timeout = timeout;
}

__used int bpf_ct_change_timeout(struct nf_conn *ct, u32 timeout)
{
	ct->timeout = timeout;
	return 0;
}

__used int bpf_ct_set_status(const struct nf_conn___init *entry, u32 status)
{
	return entry->ct.status == status;
}

__used int bpf_ct_change_status(struct nf_conn *ct, u32 status)
{
	ct->status = status;
	return 0;
}

#define LABEL(name, size)                                                                \
	".type " name ",@object\n.size " name "," size "\n" name ":\n"
#define ID(kind, name, number) LABEL("__BTF_ID__" kind "__" name "__" number, "4") ".long 0\n"
#define KFUNC(name, number, flags) ID("func", name, number) ".long " flags "\n"

// KF_ACQUIRE is 1, KF_RELEASE 2, KF_RET_NULL 4.
__asm__(".pushsection .BTF_ids,\"a\"\n"
	"btf_nf_conn_ids:\n" ID("struct", "nf_conn", "1") ID("struct", "nf_conn___init", "2")
	LABEL("__BTF_ID__set8__nf_ct_kfunc_set", "88") ".long 10\n.long 0\n"
	KFUNC("bpf_xdp_ct_alloc", "3", "5") KFUNC("bpf_xdp_ct_lookup", "4", "5")
	KFUNC("bpf_skb_ct_alloc", "5", "5") KFUNC("bpf_skb_ct_lookup", "6", "5")
	KFUNC("bpf_ct_insert_entry", "7", "7") KFUNC("bpf_ct_release", "8", "2")
	KFUNC("bpf_ct_set_timeout", "9", "0") KFUNC("bpf_ct_change_timeout", "10", "0")
	KFUNC("bpf_ct_set_status", "11", "0") KFUNC("bpf_ct_change_status", "12", "0")
	".popsection\n");
