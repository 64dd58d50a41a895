import type { ListingRow } from '#analysis/code/code-listing.ts';
import type { SectionIndex } from '#model/ids.ts';
import type { Pin } from '#store/lesson/pins.ts';

/** The pins of a lesson that stand on a row of the listing. */
export function rowPins(
  row: ListingRow | null,
  section: SectionIndex,
  pins: readonly Pin[],
): readonly Pin[] {
  if (row === null || pins.length === 0) return [];
  return pins.filter(({ selection }) => {
    switch (row.kind) {
      case 'insn':
      case 'word': {
        const insnOff = row.kind === 'insn' ? row.insn.offset : row.insnOff;
        return (
          selection.kind === 'insn' &&
          selection.section === section &&
          selection.insnOff === insnOff
        );
      }
      case 'relocation':
        return selection.kind === 'relocation' && selection.reloc === row.reloc;
      case 'core':
        return selection.kind === 'core' && selection.core === row.core;
      default:
        return false;
    }
  });
}
