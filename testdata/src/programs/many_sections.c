// SPDX-License-Identifier: MIT
// A program in each of forty sections, calls between some, data in sections of its own.
#define SEC(name) __attribute__((section(name), used))
#define PROGRAM(n)                                                                        \
	SEC("kprobe/function_" #n) int program_##n(unsigned long *ctx)                    \
	{                                                                                 \
		return shared_step(ctx, n) + data_##n;                                    \
	}
#define DATA(n) SEC(".data.part_" #n) int data_##n = n;
#define TEN(what, d)                                                                      \
	what(d##0) what(d##1) what(d##2) what(d##3) what(d##4) what(d##5) what(d##6)      \
		what(d##7) what(d##8) what(d##9)

__attribute__((noinline)) static int shared_step(unsigned long *ctx, int n)
{
	return ctx[n & 3] > (unsigned long)n ? n : -n;
}

TEN(DATA, 1) TEN(DATA, 2) TEN(DATA, 3) TEN(DATA, 4)
TEN(PROGRAM, 1) TEN(PROGRAM, 2) TEN(PROGRAM, 3) TEN(PROGRAM, 4)

char LICENSE[] SEC("license") = "GPL";
