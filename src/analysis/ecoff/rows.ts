/** Maps relocation rows of the model to entries of an eCOFF file, and back. */
import type { FurtherPlace } from '#analysis/objects/relocation-facts.ts';
import { memoized } from '#bytes/cache.ts';
import {
  areAdjusted,
  type CompactRecord,
  type CompactRelocations,
  compactOwners,
  compactRecordAt,
} from '#formats/ecoff/compact.ts';
import { type EcoffFile, rawDataOf } from '#formats/ecoff/ecoff-file.ts';
import {
  R,
  type Relocation,
  type RelocationTable,
  relocationAt,
} from '#formats/ecoff/relocations.ts';
import type { SectionHeader } from '#formats/ecoff/section-headers.ts';
import { type RelocIndex, relocIndex } from '#model/ids.ts';
import type { ObjectModel } from '#model/object-model.ts';
import { COMPACT_TYPE } from '#model/relocations.ts';
import { compactPlace, compactPlaceCount } from './compact-places.ts';

export type EntryRow = {
  readonly file: EcoffFile;
  readonly table: RelocationTable;
  readonly section: SectionHeader;
  /** Index of the entry in its relocation table. */
  readonly n: number;
  readonly entry: Relocation;
  /** Row of the model that belongs to the table's first entry. */
  readonly first: number;
};

/** Compact relocation record of a linked file. */
export type CompactRow = {
  readonly file: EcoffFile;
  readonly compact: CompactRelocations;
  readonly record: CompactRecord;
  /** Section that the record patches; null if no header claims it, or if its place is unknown. */
  readonly section: SectionHeader | null;
  /** True after a VADJUST, which makes the place of the record unknown. */
  readonly isAdjusted: boolean;
};

const adjustedOf = memoized((compact: CompactRelocations) =>
  areAdjusted(compact, compactOwners(compact)),
);

const tablesOf = memoized(
  (file: EcoffFile): ReadonlyMap<number, RelocationTable> =>
    new Map(file.relocations.map((table) => [table.section, table])),
);

/** Returns the entry of a row; null for compact records and rows that do not exist. */
export function entryRow(model: ObjectModel, file: EcoffFile, reloc: RelocIndex): EntryRow | null {
  const { relocations } = model;
  if ((relocations.type[reloc] ?? COMPACT_TYPE) >= COMPACT_TYPE) return null;
  const index = (relocations.relSection[reloc] ?? 0) - 1;
  const table = tablesOf(file).get(index);
  const section = file.sections[index];
  if (table === undefined || section === undefined) return null;
  const n = relocations.indexInSection[reloc] ?? 0;
  return { file, table, section, n, entry: relocationAt(table, n), first: reloc - n };
}

/** Returns the compact record of a row; null for rows of other kinds. */
export function compactRow(
  model: ObjectModel,
  file: EcoffFile,
  reloc: RelocIndex,
): CompactRow | null {
  const { relocations } = model;
  if ((relocations.type[reloc] ?? 0) < COMPACT_TYPE) return null;
  let index = relocations.indexInSection[reloc] ?? 0;
  for (const { compact } of file.comment?.subsections ?? []) {
    if (compact === null) continue;
    if (index < compact.records.count) {
      const section = file.sections[(relocations.targetSection[reloc] ?? 0) - 1] ?? null;
      const isAdjusted = adjustedOf(compact)[index] === 1;
      return {
        file,
        compact,
        record: compactRecordAt(compact.records, index),
        section,
        isAdjusted,
      };
    }
    index -= compact.records.count;
  }
  return null;
}

/** Maximum number of further places: overlapping runs of compact records may have billions. */
const MAX_PLACES = 1_000_000;

/**
 * Returns the place of the second instruction of each GPDISP entry, and all places of a compact
 * record after its first (4.4.4, step 1).
 */
export function partnerPlaces(model: ObjectModel, file: EcoffFile): readonly FurtherPlace[] {
  const { relocations } = model;
  const places: FurtherPlace[] = [];
  for (let row = 0; row < relocations.count && places.length < MAX_PLACES; row++) {
    const compact = compactRow(model, file, relocIndex(row));
    if (compact !== null && compact.section !== null) {
      const { length } = rawDataOf(file, compact.section);
      const count = compactPlaceCount(compact.record);
      for (let i = 1; i < count; i++) {
        const { byteOffset, byteCount } = compactPlace(compact.record, i);
        if (byteOffset + byteCount > length) break;
        places.push({ reloc: relocIndex(row), byteOffset });
      }
    }
    if (relocations.type[row] !== R.gpdisp) continue;
    const base = file.sections[(relocations.targetSection[row] ?? 0) - 1]?.sVaddr ?? 0n;
    const partner = (relocations.offset[row] ?? 0n) + BigInt(relocations.symbolNumber[row] ?? 0);
    places.push({ reloc: relocIndex(row), byteOffset: Number(partner - base) });
  }
  return places;
}
