// SPDX-License-Identifier: MIT
// The object whose fields are changed one at a time (scripts/testdata/edges.mjs). Its
// tags are there for their texts: access strings that records are made to name.
#include "bpf_helpers.h"
#include "bpf_core.h"

#define __tag(text) __attribute__((btf_decl_tag(text)))

struct subject {
	int first;
	long second;
	char third[4];
} __core __tag("0:") __tag(":0") __tag("0:a") __tag("0:99") __tag("0:0:0") __tag("0::1")
	__tag("18446744073709551616");

int counter = 3;

SEC("tc")
int small(struct subject *subject)
{
	counter += subject->first;
	return subject->second + subject->third[2];
}

SEC("many")
int longer(__u64 *ctx)
{
	__asm__ volatile(".rept 260\nr0 = 1\n.endr" ::: "r0");
	return ctx[1];
}

char LICENSE[] SEC("license") = "GPL";
