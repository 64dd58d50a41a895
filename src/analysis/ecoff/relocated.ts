/** Bytes of a section of an eCOFF file as they are once its entries are applied, bit by bit. */

import { type EcoffFile, rawDataOf } from '#formats/ecoff/ecoff-file.ts';
import type { RelocIndex, SectionIndex } from '#model/ids.ts';
import type { ObjectModel } from '#model/object-model.ts';
import type { Layout } from './layout.ts';
import { outcomeAt } from './outcomes.ts';
import { writeOutcome } from './patch.ts';
import { entryRow } from './rows.ts';

/** The widest site. */
const WIDEST = 8;

/**
 * `bytes`, which begin at `byteOffset` of `section`, with what its entries write,
 * in the order of the entries; `touching` gives those between two places. Sites that reach over an end are written as far as
 * they are in sight; where the file does not hold the whole section nothing is.
 */
export function relocatedWindow(
  model: ObjectModel,
  file: EcoffFile,
  section: SectionIndex,
  byteOffset: number,
  bytes: Uint8Array,
  layout: Layout,
  touching: (start: number, end: number) => readonly RelocIndex[],
): Uint8Array {
  const header = file.sections[section - 1];
  const raw = header === undefined ? new Uint8Array(0) : rawDataOf(file, header);
  const { length } = bytes;
  if (byteOffset + length > raw.length) return bytes.slice();
  // Wider by a site at both ends, so that no site in sight is cut.
  const start = Math.max(0, byteOffset - WIDEST);
  const end = Math.min(raw.length, byteOffset + length + WIDEST);
  const wide = raw.slice(start, end);
  const rows = touching(start, end).toSorted((a, b) => a - b);
  for (const reloc of rows) {
    const row = entryRow(model, file, reloc);
    const outcome = row === null ? null : outcomeAt(file, row.table, layout, row.n);
    if (outcome !== null) writeOutcome(wide, start, outcome, 'meant');
  }
  return wide.subarray(byteOffset - start, byteOffset - start + length);
}
