// SPDX-License-Identifier: BSD-2-Clause
// R_BPF_64_64, the relocation of a ld_imm64 instruction: the first example of
// the kernel's Documentation/bpf/llvm_reloc.rst.
//
// Look at: four relocations in .rel.text. g1 and g2 are global, so the symbol
// has the place and the instruction holds 0. l1 and l2 are static, so the symbol
// is the section "sec" and the instruction holds the addend: 8 and 12.
int g1 __attribute__((section("sec")));
int g2 __attribute__((section("sec")));
static volatile int l1 __attribute__((section("sec")));
static volatile int l2 __attribute__((section("sec")));

int test(void)
{
	return g1 + g2 + l1 + l2;
}
