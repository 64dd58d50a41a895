// SPDX-License-Identifier: MIT
// The instructions that came with cpu version 4, and the atomics of version 3.
//
// Look at: loads that extend the sign (*(s8 *) and so on), moves that do so from
// 8, 16 and 32 bits, bswap16/32/64, signed division and remainder, stores of a
// number without a register, a jump with a 32-bit distance (gotol) and the one
// that may or may not jump (may_goto).
#include "include/bpf_helpers.h"

struct sample {
	__s8 tiny;
	__s16 small;
	__s32 word;
	__u16 port;
	__u32 address;
	__u64 stamp;
};

struct sample sample;
__s64 out[8];
__u64 cell;
__u32 cell32;

SEC("socket/load")
int load_signed(struct sample *from)
{
	out[0] = sample.tiny;
	out[1] = sample.small;
	out[2] = sample.word;
	return 0;
}

SEC("socket/move")
int move_signed(void *ctx)
{
	__s64 a = out[0], b = out[1], c = out[2];
	int narrow = (int)out[3];

	out[4] = (__s8)a;
	out[5] = (__s16)b;
	out[6] = (__s32)c;
	// The same on 32-bit registers.
	return (__s8)narrow + (__s16)(narrow >> 3);
}

SEC("socket/swap")
int swap_bytes(void *ctx)
{
	sample.port = __builtin_bswap16(sample.port);
	sample.address = __builtin_bswap32(sample.address);
	sample.stamp = __builtin_bswap64(sample.stamp);
	return 0;
}

SEC("socket/divide")
int divide_signed(void *ctx)
{
	int narrow = (int)out[1];

	out[2] = out[0] / out[1];
	out[3] = out[6] % out[7];
	return narrow / (int)out[4] + narrow % (int)out[5];
}

SEC("socket/store")
int store_numbers(void *ctx)
{
	sample.tiny = -1;
	sample.small = 2;
	sample.word = -3;
	sample.stamp = 4;
	return 0;
}

SEC("socket/atomics")
int atomics(void *ctx)
{
	__u64 old = __sync_fetch_and_add(&cell, 1);

	// The result is not used: no fetch.
	__sync_fetch_and_add(&cell32, 2);
	old += __sync_fetch_and_and(&cell, 3);
	old += __sync_fetch_and_or(&cell, 4);
	old += __sync_fetch_and_xor(&cell, 5);
	old += __sync_lock_test_and_set(&cell, 6);
	old += __sync_val_compare_and_swap(&cell, 7, 8);
	// llvm-objdump knows this one only under --mcpu=v3, and says <unknown> else.
	old += __sync_val_compare_and_swap(&cell32, 9, 10);
	return (int)old;
}

// Clang writes gotol only over distances beyond 16 bits; here it is by hand.
SEC("socket/jump")
int long_jump(void *ctx)
{
	asm volatile("if r1 == 0 goto 1f;"
		     "gotol 2f;"
		     "1: r1 = 1;"
		     "2: ;"
		     :
		     :
		     : "r1");
	return 0;
}

SEC("socket/may_goto")
int bounded_by_kernel(void *ctx)
{
	__u64 rounds = 0;

	asm volatile("1: may_goto 2f;"
		     "%[rounds] += 1;"
		     "goto 1b;"
		     "2: ;"
		     : [rounds] "+r"(rounds));
	return (int)rounds;
}

char LICENSE[] SEC("license") = "GPL";
