// SPDX-License-Identifier: BSD-2-Clause
// R_BPF_64_ABS64, R_BPF_64_ABS32 and R_BPF_64_NODYLD32, the relocations of data:
// the third example of the kernel's Documentation/bpf/llvm_reloc.rst.
//
// Look at: .rel.data fills the 8 bytes of gbl.g with the address of global().
// DWARF is kept here, so .rel.debug_info has 13 entries (version 4 of DWARF, as
// in the document); .rel.BTF and .rel.BTF.ext have their own type, number 4.
int global(void)
{
	return 0;
}

struct t {
	void *g;
} gbl = { global };
