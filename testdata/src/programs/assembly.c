// SPDX-License-Identifier: MIT
// Instructions that a compiler seldom chooses, each once.
#define SEC(name) __attribute__((section(name), used))

SEC("socket") __attribute__((naked)) void arithmetic(void)
{
	asm volatile("r0 = 1; r1 = -1; w2 = w0; r3 = r1; r0 += r1; r0 -= 7; r0 *= r1; r0 /= 3;"
		     "r0 %%= 5; r0 |= r1; r0 &= 255; r0 ^= r1; r0 <<= 3; r0 >>= r1; r0 s>>= 2;"
		     "w0 += w1; w0 -= 7; w0 *= w1; w0 /= 3; w0 %%= 5; w0 |= w1; w0 &= 255;"
		     "w0 ^= w1; w0 <<= 3; w0 >>= w1; w0 s>>= 2; r0 = -r0; w1 = -w1;"
		     "r0 = le16 r0; r0 = le32 r0; r0 = le64 r0; r0 = be16 r0; r0 = be32 r0;"
		     "r0 = be64 r0; r0 = bswap16 r0; r0 s/= 3; w0 s%%= 5; r1 = (s8)r0; exit;" ::: "memory");
}

SEC("socket") __attribute__((naked)) void jumps(void)
{
	asm volatile("r0 = 0; r1 = 2; if r0 == r1 goto +1; r0 = 1; if r0 != 4 goto +1; r0 = 2;"
		     "if r0 > r1 goto +0; if r0 >= 3 goto +0; if r0 < r1 goto +0;"
		     "if r0 <= 3 goto +0; if r0 s> r1 goto +0; if r0 s>= -3 goto +0;"
		     "if r0 s< r1 goto +0; if r0 s<= -3 goto +0; if r0 & 8 goto +0;"
		     "if w0 == w1 goto +0; if w0 != 4 goto +0; if w0 s> -1 goto +0;"
		     "goto +1; goto -2; gotol +0; exit;" ::: "memory");
}

SEC("socket") __attribute__((naked)) void memory(void)
{
	asm volatile("r0 = *(u8 *)(r1 + 1); r0 = *(u16 *)(r1 - 2); r0 = *(u32 *)(r1 + 4);"
		     "r0 = *(u64 *)(r1 + 32767); r0 = *(s8 *)(r1 + 1); r0 = *(s32 *)(r1 + 4);"
		     "*(u8 *)(r10 - 1) = r0; *(u16 *)(r10 - 2) = r0; *(u32 *)(r10 - 4) = 7;"
		     "*(u64 *)(r10 - 8) = -1; lock *(u32 *)(r10 - 4) += w0;"
		     "lock *(u64 *)(r10 - 8) |= r0; r0 = atomic_fetch_add((u64 *)(r10 - 8), r0);"
		     "r0 = xchg_64(r10 - 8, r0); r0 = cmpxchg_64(r10 - 8, r0, r1);"
		     "r0 = 0x1122334455667788 ll; exit;" ::: "memory");
}

char LICENSE[] SEC("license") = "GPL";
