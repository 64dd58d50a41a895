// SPDX-License-Identifier: MIT
// How C lays out structs, and what it costs: material for the layout view.
//
// Look at: `careless` and `careful` have the same members and differ by 24 bytes,
// 20 of holes and 4 at the end. `nested` inherits the padding of what it holds,
// `packed` has none and pays with unaligned members, `cacheline` fills 64 bytes to
// the last one, `spilled` needs 8 more and so takes a whole second line.
#include "include/bpf_helpers.h"

// Three holes of 7, 7 and 6 bytes and a padded tail of 4.
struct careless {
	__u8 state;
	__u64 started;
	__u8 cpu;
	__u64 stopped;
	__u16 port;
	__u64 bytes;
	__u32 drops;
};

// The same members from large to small: no hole.
struct careful {
	__u64 started;
	__u64 stopped;
	__u64 bytes;
	__u32 drops;
	__u16 port;
	__u8 state;
	__u8 cpu;
};

// Padding at the end only: an array of these must keep `when` aligned.
struct tail {
	__u64 when;
	__u8 why;
};

struct nested {
	__u8 before;
	struct tail first;
	__u32 between;
	struct tail more[2];
	struct {
		__u8 inner;
		__u32 count;
	} named;
	struct {
		__u16 left;
		__u32 right;
	};
};

struct packed {
	__u8 state;
	__u64 started;
	__u16 port;
	__u32 drops;
} __attribute__((packed));

// Every member begins at byte 0; the largest one makes the size.
union address {
	__u8 bytes[16];
	__u16 words[8];
	__u32 v4;
	struct {
		__u64 high;
		__u64 low;
	} v6;
};

// Bit holes: `speed` does not fit into the one bit that `mode` leaves of the first
// word, three bits are skipped by hand, and `:0` sends `late` to the next word.
struct flags {
	__u32 up : 1;
	__u32 mode : 30;
	__u32 speed : 5;
	__u32 : 3;
	__u32 duplex : 2;
	__u32 : 0;
	__u32 late : 4;
	__u8 level;
};

// One cache line of x86: hot members first, 64 bytes, aligned so.
struct cacheline {
	__u64 packets;
	__u64 bytes;
	__u64 errors;
	__u64 stamp;
	union address peer;
	__u32 queue;
	__u16 port;
	__u8 state;
	__u8 cpu;
	__u64 next;
} __attribute__((aligned(64)));

struct spilled {
	struct cacheline line;
	__u64 late;
};

// A hole of 6 bytes that only the aligned member asks for.
struct aligned_member {
	__u16 id;
	__u64 value __attribute__((aligned(8)));
	__u8 last __attribute__((aligned(4)));
};

// No element, no byte; but the alignment of what could follow counts.
struct flexible {
	__u8 count;
	struct tail items[];
};

struct empty {};

struct careless careless;
struct careful careful;
struct nested nested;
struct packed packed;
union address address;
struct flags flags;
struct cacheline cacheline;
struct spilled spilled;
struct aligned_member aligned_member;
struct flexible *flexible;
struct empty *empty;
