/** Selections and pins of the rows of a listing. */
import type { CodeListing, ListingRow } from '#analysis/code/code-listing.ts';
import type { RelocationMeaning } from '#analysis/objects/relocation-facts.ts';
import type { InsnPlace } from '#analysis/selection/selection.ts';
import type { SectionIndex } from '#model/ids.ts';
import { type Selection, sameSelection } from '#model/selection.ts';
import type { Pin } from '#store/session/pins.ts';
import { symbolLine } from '#views/parts/relocation-look.ts';

/** Returns the selection of a row; null for headings and source lines, which cannot be selected. */
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
 * Returns the selection of row `index`. Headings and source lines have the selection of the next
 * row below, or above if an arrow key comes from below. Returns null if there is none.
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

/** Returns the row of the selection among the rows of an instruction; null if it has no row. */
export function litRow(
  listing: CodeListing,
  { section, insnOff }: InsnPlace,
  selection: Selection,
): number | null {
  const insnRow = listing.rowOfInsn(insnOff);
  if (insnRow < 0) return null;
  for (let i = insnRow + 1; ; i++) {
    const row = listing.rowAt(i);
    if (row?.kind !== 'relocation' && row?.kind !== 'core') return insnRow;
    if (isSelectedRow(row, section, selection)) return i;
  }
}

/** Returns true if the row has the selection. All steps of a CO-RE record are in one row. */
function isSelectedRow(row: ListingRow, section: SectionIndex, selection: Selection): boolean {
  const own = ownSelection(row, section);
  if (own?.kind === 'core') return selection.kind === 'core' && selection.core === own.core;
  return own !== null && sameSelection(own, selection);
}

/** Returns `R_BPF_64_32  sec1 + 0x18 → lfunc` for a relocation. Names are not escaped. */
export function relocationText(meaning: RelocationMeaning): string {
  const symbol = symbolLine(meaning) || (meaning.addend === null ? '' : '(no symbol)');
  return `${meaning.typeName}  ${symbol}`.trimEnd();
}

/** Returns the pins of a lesson that are on a row of the listing. */
export function rowPins(
  row: ListingRow | null,
  section: SectionIndex,
  pins: readonly Pin[],
): readonly Pin[] {
  if (row === null || pins.length === 0) return [];
  return pins.filter(({ selection }) => isSelectedRow(row, section, selection));
}
