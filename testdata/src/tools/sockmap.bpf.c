// SPDX-License-Identifier: MIT
#include "vmlinux.h"
#include <bpf/bpf_helpers.h>
#include <bpf/bpf_endian.h>
#include <bpf/bpf_core_read.h>

struct sock_key {
	__u32 sip4, dip4;
	__u8 family;
	__u8 pad1;
	__u16 pad2;
	__u32 pad3;
	__u32 sport, dport;
} __attribute__((packed));

_Static_assert(sizeof(struct sock_key) == 24, "the key has no padding");

struct budget {
	struct bpf_spin_lock lock;
	__u64 tokens;
	__s64 refilled;
};

struct {
	__uint(type, BPF_MAP_TYPE_SOCKHASH);
	__uint(key_size, sizeof(struct sock_key));
	__uint(value_size, sizeof(int));
	__uint(max_entries, 65535);
} sock_ops_map SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_SK_STORAGE);
	__uint(map_flags, BPF_F_NO_PREALLOC | BPF_F_CLONE);
	__type(key, int);
	__type(value, struct budget);
} budgets SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_CGROUP_STORAGE);
	__type(key, struct bpf_cgroup_storage_key);
	__type(value, __u64);
} per_cgroup SEC(".maps");

static __always_inline void key_of(struct bpf_sock_ops *ops, struct sock_key *key)
{
	key->sip4 = ops->local_ip4;
	key->dip4 = ops->remote_ip4;
	key->family = 1;
	key->sport = bpf_htonl(ops->local_port);
	key->dport = ops->remote_port;
}

SEC("sockops")
int handle_sockops(struct bpf_sock_ops *ops)
{
	struct sock_key key = {};

	switch (ops->op) {
	case BPF_SOCK_OPS_PASSIVE_ESTABLISHED_CB:
	case BPF_SOCK_OPS_ACTIVE_ESTABLISHED_CB:
		key_of(ops, &key);
		bpf_sock_hash_update(ops, &sock_ops_map, &key, BPF_NOEXIST);
		break;
	default:
		break;
	}
	return 0;
}

SEC("sk_msg")
int handle_msg(struct sk_msg_md *msg)
{
	struct sock_key key = { .sip4 = msg->remote_ip4, .dip4 = msg->local_ip4, .family = 1 };

	return bpf_msg_redirect_hash(msg, &sock_ops_map, &key, BPF_F_INGRESS);
}

SEC("cgroup_skb/egress")
int egress(struct __sk_buff *skb)
{
	__u64 *bytes = bpf_get_local_storage(&per_cgroup, 0);
	struct bpf_sock *sk = skb->sk;
	struct budget *budget;
	int ok = 1;

	*bytes += skb->len;
	if (!sk)
		return 1;
	sk = bpf_sk_fullsock(sk);
	if (!sk)
		return 1;
	budget = bpf_sk_storage_get(&budgets, sk, 0, BPF_SK_STORAGE_GET_F_CREATE);
	if (!budget)
		return 1;
	bpf_spin_lock(&budget->lock);
	if (budget->tokens < skb->len)
		ok = 0;
	else
		budget->tokens -= skb->len;
	bpf_spin_unlock(&budget->lock);
	return ok;
}

char _license[] SEC("license") = "GPL";
