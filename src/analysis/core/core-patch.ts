/**
 * The field of an instruction that a CO-RE relocation changes, and its value.
 *
 * Source: "BPF LLVM Relocations", section "CO-RE Relocations": imm of arithmetic and ld_imm64, off
 * of loads and stores, never jumps; forms as libbpf's `bpf_core_patch_insn` wants them.
 */
import type { Endian } from '#bytes/span.ts';
import { type Insn, insnClass } from '#formats/bpf/insn.ts';
import { OPCODE, SOURCE, sourceOf } from '#formats/bpf/opcodes.ts';
import type { TypeTable } from '#model/type-table.ts';
import type { AccessPath } from './parse-spec.ts';
import { localSpec } from './spec.ts';
import { FIELD_FAULT_TEXT, specValue } from './spec-value.ts';

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

/** Returns the value of that field as libbpf compares it: sign-extended, then as an unsigned 64-bit number. Null as above. */
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

/**
 * The value by the local types of an instruction with a CO-RE record: the compiler writes it, and
 * libbpf expects it before patching.
 */

export type LocalValue = {
  /** An unsigned 64-bit number; null where libbpf finds none. */
  readonly value: bigint | null;
  /** The reason for null, in words. */
  readonly error: string | null;
  /** Whether libbpf refuses the program if the instruction has another value. */
  readonly validate: boolean;
};

/** `endian` is that of the program, which decides how bit-fields are shifted. Never throws. */
export function localValue(
  t: TypeTable,
  path: AccessPath,
  kind: number,
  endian: Endian,
): LocalValue {
  if (path.error !== null) return { value: null, error: path.error.message, validate: false };
  const found = specValue(kind, localSpec(t, path), endian);
  return 'fault' in found
    ? { value: null, error: FIELD_FAULT_TEXT[found.fault], validate: false }
    : { value: found.value, error: null, validate: found.validate };
}
