#include "vmlinux.h"
#include <bpf/bpf_helpers.h>
#include "bpf_experimental.h"

#define private(name) SEC(".data." #name) __hidden __attribute__((aligned(8)))

struct node {
	long key;
	struct bpf_list_node list;
	struct bpf_rb_node tree;
	struct bpf_refcount refs;
};

private(A) struct bpf_spin_lock lock_a;
private(A) struct bpf_list_head head __contains(node, list);
private(B) struct bpf_spin_lock lock_b;
private(B) struct bpf_rb_root root __contains(node, tree);

struct value { struct bpf_timer timer; struct bpf_wq wq; int __kptr *num; struct node __kptr *stash; };
struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__type(key, int);
	__type(value, struct value);
	__uint(max_entries, 64);
} values SEC(".maps");

SEC("tc") long noop(void *ctx) { return 0; }
char _license[] SEC("license") = "GPL";
