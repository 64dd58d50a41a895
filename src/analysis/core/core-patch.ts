/**
 * Which field of an instruction a CO-RE relocation changes, and what it holds.
 *
 * Source: "BPF LLVM Relocations", section "CO-RE Relocations": imm of
 * arithmetic and ld_imm64, off of loads and stores, never jumps; forms as
 * libbpf's `bpf_core_patch_insn` wants them.
 */
import { type Insn, insnClass } from '#formats/bpf/insn.ts';
import { OPCODE, SOURCE, sourceOf } from '#formats/bpf/opcodes.ts';

/** `imm64` is both imm of a ld_imm64. */
export type PatchedField = 'off' | 'imm' | 'imm64';

/** The field that is changed; null for an instruction that libbpf does not patch. */
export function patchedField(insn: Insn): PatchedField | null {
  switch (insnClass(insn)) {
    case 'alu':
    case 'alu64':
      return sourceOf(insn.opcode) === SOURCE.k ? 'imm' : null;
    case 'ldx':
    case 'st':
    case 'stx':
      return 'off';
    case 'ld':
      return insn.opcode === OPCODE.ldImm64 &&
        !insn.truncated &&
        insn.srcReg === 0 &&
        insn.off === 0
        ? 'imm64'
        : null;
    default:
      return null;
  }
}

/** What that field holds, as libbpf compares it: sign-extended, then without sign in 64 bits. Null as above. */
export function patchedValue(insn: Insn): bigint | null {
  switch (patchedField(insn)) {
    case 'off':
      return BigInt.asUintN(64, BigInt(insn.off));
    case 'imm':
      return BigInt.asUintN(64, BigInt(insn.imm));
    case 'imm64':
      return insn.imm64;
    case null:
      return null;
  }
}
