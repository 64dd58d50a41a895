import type { ListingRow } from '#analysis/code/code-listing.ts';
import { relocationAtInsn } from '#analysis/relocations/by-place.ts';
import { jumpTarget } from '#formats/bpf/insn.ts';
import type { SectionIndex } from '#model/ids.ts';
import type { ObjectModel } from '#model/object-model.ts';
import { select } from '#store/navigation.ts';
import { wordTarget } from './word-target.ts';

/** Goes where the row points: a jump to its target, a relocation to its own view. */
export function followRow(model: ObjectModel, section: SectionIndex, row: ListingRow | null): void {
  switch (row?.kind) {
    case 'insn': {
      const target = jumpTarget(row.insn);
      // What a relocated call holds is not yet where it goes.
      if (target === null || relocationAtInsn(model, section, row.insn.offset) !== null) return;
      select({ kind: 'insn', section, insnOff: target });
      return;
    }
    case 'word': {
      const target = wordTarget(model, section, row.insnOff, row.word);
      if (target === null) return;
      select({ kind: 'insn', section: target.section, insnOff: target.insnOff });
      return;
    }
    case 'relocation':
      select({ kind: 'relocation', reloc: row.reloc }, 'relocations');
      return;
    case 'core':
      select({ kind: 'core', core: row.core, step: null }, 'core');
  }
}
