// SPDX-License-Identifier: MIT
// Declaration tags on everything that can carry one, and type tags on pointers.
#include "bpf_helpers.h"

#define __tag(text) __attribute__((btf_decl_tag(text)))
#define __user __attribute__((btf_type_tag("user")))
#define __rcu __attribute__((btf_type_tag("rcu")))

typedef int tagged_t __tag("a_typedef");

struct tagged {
	int plain;
	int first __tag("a_member") __tag("twice");
	char __user *from;
	struct tagged __rcu *__user *chain;
	const char __user *const text;
} __tag("a_struct");

union tagged_union {
	int a __tag("in_union");
	long b;
} __tag("a_union");

struct tagged variable __tag("a_variable");
union tagged_union other;
tagged_t number;

__noinline int function(struct tagged *argument __tag("an_argument"), int plain) __tag("a_function");
__noinline int function(struct tagged *argument, int plain)
{
	return argument ? argument->first + plain : number;
}

SEC("lsm/file_open")
int hook(__u64 *ctx)
{
	return function(&variable, other.a + (int)ctx[0]);
}

char LICENSE[] SEC("license") = "GPL";
