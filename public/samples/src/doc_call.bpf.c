// SPDX-License-Identifier: BSD-2-Clause
// R_BPF_64_32, the relocation of a call: the second example of the kernel's
// Documentation/bpf/llvm_reloc.rst.
//
// Look at: the calls in test(). gfunc is global, its symbol has value 0, so the
// call holds (0 + 0) / 8 - 1 = -1. lfunc is static, reached through the symbol of
// section "sec1", where it lies at 0x18: (0 + 0x18) / 8 - 1 = 2.
__attribute__((noinline, section("sec1"))) int gfunc(int a, int b)
{
	return a * b;
}

static __attribute__((noinline, section("sec1"))) int lfunc(int a, int b)
{
	return a + b;
}

int global __attribute__((section("sec2")));

int test(int a, int b)
{
	return gfunc(a, b) + lfunc(a, b) + global;
}
