// SPDX-License-Identifier: MIT
// Bit-fields read through CO-RE: where the bytes are, how many, how far to shift
// left and right, and whether the sign counts, each answered by its own record.
//
// Look at: five kinds of record for one field (byte_off, byte_sz, signed,
// lshift_u64, rshift_u64). The shifts always work on 64 bits. The big-endian build
// has the same bit offsets and other left shifts, as bits count from the top there.
#include "include/bpf_helpers.h"
#include "include/bpf_core.h"

enum state { IDLE, BUSY, GONE };

// Fields that fill bytes, cross them, straddle two words, or have a sign.
struct socket_flags {
	__u8 family;
	__u8 reuse : 4;
	__u8 reuse_port : 1;
	__u8 ipv6_only : 1;
	__u8 no_check : 1;
	__s16 priority : 5;
	__s16 balance : 11;
	__u32 mark;
	__s32 delta : 20;
	__u32 kind : 12;
	enum state state : 2;
	__u64 window : 33;
	__s64 skew : 29;
	__u64 whole : 64;
} __core;

__u64 seen[8];

// Unsigned and signed, inside one byte and across two.
SEC("kprobe/sock_setsockopt")
int read_copied(void *ctx)
{
	struct socket_flags *flags = bpf_get_current_task();

	seen[0] = core_read_bitfield(flags, reuse);
	seen[1] = core_read_bitfield(flags, no_check);
	seen[2] = core_read_bitfield(flags, balance);
	seen[3] = core_read_bitfield(flags, delta);
	seen[4] = core_read_bitfield(flags, window);
	return 0;
}

// The same questions without any memory: each answer is a number in the code.
SEC("kprobe/sock_getsockopt")
int ask_layout(void *ctx)
{
	seen[0] = core_field_offset(((struct socket_flags *)0)->kind);
	seen[1] = core_field_size(((struct socket_flags *)0)->kind);
	seen[2] = core_field_lshift(((struct socket_flags *)0)->kind);
	seen[3] = core_field_rshift(((struct socket_flags *)0)->kind);
	seen[4] = core_field_signed(((struct socket_flags *)0)->priority);
	seen[5] = core_field_signed(((struct socket_flags *)0)->state);
	// As wide as its type: nothing to shift away.
	seen[6] = core_field_lshift(((struct socket_flags *)0)->whole);
	// Shifts exist for plain members as well.
	seen[7] = core_field_lshift(((struct socket_flags *)0)->mark);
	return 0;
}

// Memory that the verifier knows to be kernel memory needs no copy: a switch over
// the relocated size loads 1, 2, 4 or 8 bytes; the loader's answer leaves one arm.
SEC("tp_btf/inet_sock_set_state")
int read_direct(__u64 *ctx)
{
	struct socket_flags *flags = (void *)ctx[0];
	const void *bytes = core_bitfield_bytes(flags, skew);
	__u64 bits = 0;

	switch (core_field_size(flags->skew)) {
	case 1:
		bits = *(const __u8 *)bytes;
		break;
	case 2:
		bits = *(const __u16 *)bytes;
		break;
	case 4:
		bits = *(const __u32 *)bytes;
		break;
	case 8:
		bits = *(const __u64 *)bytes;
		break;
	}
	seen[0] = core_bitfield_shift(flags, skew, bits);
	return 0;
}

char LICENSE[] SEC("license") = "GPL";
