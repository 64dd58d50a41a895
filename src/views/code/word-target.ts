/** Where an instruction of one word leads, for links and for Enter. */
import { relocationsInRange } from '#analysis/relocations/by-place.ts';
import type { SectionIndex } from '#model/ids.ts';
import { insnSlot, type ObjectModel } from '#model/object-model.ts';
import { type AlphaTarget, alphaTargetAt } from '#print/alpha-insn.ts';

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
