/** Finds starts of instructions: in BPF code some instructions have two slots. */
import { decodeInsn } from '#formats/bpf/insn.ts';
import { insnSlot, isAlpha, type ObjectModel } from '#model/object-model.ts';

/**
 * Returns whether an instruction begins at byte `insnOff` of a code section. `code` has the
 * section's bytes, at least to the end of that slot. The second slot of a `ld_imm64` is inside an
 * instruction (RFC 9669, 5.4).
 */
export function isInsnStart(model: ObjectModel, code: Uint8Array, insnOff: number): boolean {
  if (isAlpha(model)) return insnOff % insnSlot(model) === 0;
  let at = 0;
  while (at < insnOff) {
    const insn = decodeInsn(code, at, model.endian);
    if (insn === null) return false;
    at += insn.length;
  }
  return at === insnOff;
}
