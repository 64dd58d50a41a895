// SPDX-License-Identifier: MIT
// Each program's name ends in what becomes of it on the old kernel and on the new one:
//   ok        every instruction that CO-RE cannot relocate is dead code
//   rejected  the verifier comes to such an instruction, because it follows a run that does
#ifndef REACH_H
#define REACH_H

#include "bpf_helpers.h"
#include "bpf_core.h"

struct part {
	int id;
	int fresh;
} __core;

struct task_struct {
	int pid;
	__u64 width;
	int fresh;
	struct part *fresh_part;
	int stale;
	struct part part;
	int last;
} __core;

struct task_struct___old {
	int stale;
} __core;

struct task_struct___new {
	int fresh;
	struct part *fresh_part;
} __core;

enum state {
	STATE_ON = 1,
	STATE_FRESH = 2,
	STATE_STALE = 3,
};

struct fresh_type {
	int value;
} __core;

struct stale_type {
	int value;
} __core;

int sink;
int choice;

#define PROGRAM(name) SEC("raw_tp/sys_enter") int name(const __u64 *ctx)
#define TASK ((struct task_struct *)bpf_get_current_task())
#define HAS_FRESH core_field_exists(((struct task_struct *)0)->fresh)
#define HAS_STALE core_field_exists(((struct task_struct *)0)->stale)
#define HAS_TYPE core_type_exists(struct fresh_type)
#define HAS_VALUE core_enum_value_exists(enum state, STATE_FRESH)

// Reads a field into `sink`: the address has the CO-RE record.
#define READ(object, field)                                         \
	do {                                                        \
		int value_ = 0;                                     \
		core_read(&value_, (object)->field);                \
		sink += value_;                                     \
	} while (0)
#define READ_FRESH READ(TASK, fresh)
#define READ_STALE READ(TASK, stale)

char LICENSE[] SEC("license") = "GPL";

#endif
