/** Where a jump or call of an instruction leads, as a link in the listing. */
import { functionAt } from '#analysis/objects/functions.ts';
import { relocationAtInsn, relocationsInRange } from '#analysis/relocations/by-place.ts';
import { type Insn, isCall, jumpTarget } from '#formats/bpf/insn.ts';
import type { SectionIndex } from '#model/ids.ts';
import { insnSlot, type ObjectModel } from '#model/object-model.ts';
import { type AlphaTarget, alphaTargetAt } from '#print/alpha-insn.ts';

export type JumpLink = {
  /** Bytes from the start of the section. */
  readonly insnOff: number;
  /** Slots of eight bytes from the start of the section, as the listing counts. */
  readonly insnIndex: number;
  /** The function that a call goes to; empty for jumps. Raw text. */
  readonly name: string;
};

/**
 * `codeLength` in bytes. Null for what jumps nowhere, out of the section, and
 * for a call with a relocation: its imm is no distance yet.
 */
export function jumpLink(
  model: ObjectModel,
  section: SectionIndex,
  insn: Insn,
  codeLength: number,
): JumpLink | null {
  const insnOff = jumpTarget(insn);
  if (insnOff === null || insnOff < 0 || insnOff >= codeLength) return null;
  if (isCall(insn) && relocationAtInsn(model, section, insn.offset) !== null) return null;
  const func = isCall(insn) ? functionAt(model, section, insnOff) : null;
  return { insnOff, insnIndex: insnOff / 8, name: func?.start === insnOff ? func.name : '' };
}

/** Where an instruction of one word leads, for links and for Enter. */

/** Null for what goes nowhere or out of the file, and where a relocation by a symbol is to fill in the distance: it is none yet. */
export function wordTarget(
  model: ObjectModel,
  section: SectionIndex,
  insnOff: number,
  word: number,
): AlphaTarget | null {
  const relocs = relocationsInRange(model, section, insnOff, insnOff + insnSlot(model));
  const isOpen = relocs.some((reloc) => (model.relocations.symbol[reloc] ?? -1) >= 0);
  return isOpen ? null : alphaTargetAt(model, section, insnOff, word);
}
