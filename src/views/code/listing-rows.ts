/** What the rows of a listing select, and which row a selection lights. */
import type { CodeListing, ListingRow } from '#analysis/code/code-listing.ts';
import type { RelocationMeaning } from '#analysis/objects/relocation-facts.ts';
import type { SectionIndex } from '#model/ids.ts';
import type { Selection } from '#model/selection.ts';
import type { Pin } from '#store/session/pins.ts';
import { symbolLine } from '#views/parts/relocation-look.ts';

/** Headings and source lines are not selected by themselves, but the instruction that they stand over. */
function ownSelection(row: ListingRow | null, section: SectionIndex): Selection | null {
  switch (row?.kind) {
    case 'insn':
      return { kind: 'insn', section, insnOff: row.insn.offset };
    case 'word':
      return { kind: 'insn', section, insnOff: row.insnOff };
    case 'relocation':
      return { kind: 'relocation', reloc: row.reloc };
    case 'core':
      return { kind: 'core', core: row.core, step: null };
    default:
      return null;
  }
}

/**
 * The selection that row `index` stands for. On a heading or source line it is
 * the next row below that has one; coming up from right below such a row, the
 * next above, so that the arrow keys go on. Null where there is none.
 */
export function selectionOfRow(
  listing: CodeListing,
  section: SectionIndex,
  index: number,
  lit: number | null,
): Selection | null {
  const step = lit !== null && index === lit - 1 ? -1 : 1;
  for (let i = index; i >= 0 && i < listing.count; i += step) {
    const selection = ownSelection(listing.rowAt(i), section);
    if (selection !== null) return selection;
  }
  return null;
}

/** The row that shows the selection when the instruction at `insnOff` is the one it is about; null where there is none. */
export function litRow(listing: CodeListing, insnOff: number, selection: Selection): number | null {
  const insnRow = listing.rowOfInsn(insnOff);
  if (insnRow < 0) return null;
  for (let i = insnRow + 1; ; i++) {
    const row = listing.rowAt(i);
    if (row?.kind !== 'relocation' && row?.kind !== 'core') return insnRow;
    if (isOf(row, selection)) return i;
  }
}

function isOf(row: ListingRow, selection: Selection): boolean {
  return (
    (row.kind === 'relocation' &&
      selection.kind === 'relocation' &&
      row.reloc === selection.reloc) ||
    (row.kind === 'core' && selection.kind === 'core' && row.core === selection.core)
  );
}

/** One line for a relocation: `R_BPF_64_32  sec1 + 0x18 → lfunc`. Raw text. */
export function relocationText(meaning: RelocationMeaning): string {
  const symbol = symbolLine(meaning) || (meaning.addend === null ? '' : '(no symbol)');
  return `${meaning.typeName}  ${symbol}`.trimEnd();
}

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
