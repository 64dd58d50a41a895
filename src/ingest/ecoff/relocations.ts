/**
 * Relocation entries of an eCOFF file in the model's columns: entries of each section, then compact
 * records of `.comment`. `relSection` is the relocated section, or `.comment`. Source: Tru64 UNIX
 * Object File and Symbol Table Format, sections 4.2.1 and 4.4.2.4.
 */
import {
  areAdjusted,
  COMPACT_RECORD,
  type CompactRelocations,
  compactOwners,
} from '#formats/ecoff/compact.ts';
import type { EcoffFile } from '#formats/ecoff/ecoff-file.ts';
import { IMMED, R, RELOCATION_SIZE, relocationAt } from '#formats/ecoff/relocations.ts';
import {
  AddendSource,
  COMPACT_TYPE,
  newRelocations,
  type RelocationTable,
} from '#model/relocations.ts';
import type { SectionTable } from '#model/sections.ts';
import { rowsByName } from './sections.ts';

/** Returns all relocation entries, then all compact records. */
export function ecoffRelocations(file: EcoffFile, sections: SectionTable): RelocationTable {
  const compact = file.comment?.subsections.flatMap((each) => each.compact ?? []) ?? [];
  const plainCount = file.relocations.reduce((sum, { count }) => sum + count, 0);
  const count = compact.reduce((sum, { records }) => sum + records.count, plainCount);
  const table = newRelocations(count);
  table.targetSection.fill(-1);
  table.symbol.fill(-1);
  table.addendSource.fill(AddendSource.unknown);
  putPlain(file, table);
  putCompact(compact, sections, table, plainCount);
  return table;
}

function putPlain(file: EcoffFile, table: RelocationTable): void {
  const symbols = file.externals?.count ?? 0;
  let row = 0;
  for (const entries of file.relocations) {
    for (let n = 0; n < entries.count; n++, row++) {
      const entry = relocationAt(entries, n);
      const { rType, rSymndx } = entry;
      const namesSymbol = entry.rExtern && isSymndx(rType, entry.rSize) && rSymndx < symbols;
      table.relSection[row] = entries.section + 1;
      table.indexInSection[row] = n;
      table.targetSection[row] = entries.section + 1;
      table.offset[row] = entry.rVaddr;
      table.info[row] = (BigInt(entries.bits[n] ?? 0) << 32n) | BigInt(rSymndx);
      table.type[row] = rType;
      table.symbol[row] = namesSymbol ? rSymndx : -1;
      table.symbolNumber[row] = rSymndx;
      table.entryOffset[row] = entries.fileOffset + n * RELOCATION_SIZE;
      table.entrySize[row] = RELOCATION_SIZE;
    }
  }
}

/** Types of entries whose `r_symndx` is not a symbol or section number. */
const NO_SYMBOL: ReadonlySet<number> = new Set([R.abs, R.lituse, R.gpdisp, R.gpvalue]);

function isSymndx(rType: number, rSize: number): boolean {
  const isOther = rSize === IMMED.brHi32 || rSize === IMMED.gpHi32 || rSize === IMMED.scnHi32;
  return !NO_SYMBOL.has(rType) && !(rType === R.immed && isOther);
}

function putCompact(
  compact: readonly CompactRelocations[],
  sections: SectionTable,
  table: RelocationTable,
  first: number,
): void {
  const rows = rowsByName(sections);
  const comment = rows.get('.comment') ?? 0;
  let row = first;
  for (const each of compact) {
    const { records, sections: parts } = each;
    const owners = compactOwners(each);
    const adjusted = areAdjusted(each, owners);
    for (let i = 0; i < records.count; i++, row++) {
      const info = records.info[i] ?? 0;
      const owner = adjusted[i] === 1 ? undefined : parts[owners[i] ?? -1];
      const target = (owner && rows.get(owner.name)) ?? -1;
      table.relSection[row] = comment;
      table.indexInSection[row] = row - first;
      table.targetSection[row] = target;
      table.offset[row] = BigInt.asUintN(
        64,
        (sections.addr[target] ?? 0n) + BigInt(records.vOffset[i] ?? 0),
      );
      table.info[row] = (BigInt(info) << 32n) | BigInt(records.vOffset[i] ?? 0);
      table.type[row] = COMPACT_TYPE + (info & 31);
      table.entryOffset[row] = records.fileOffset + i * COMPACT_RECORD.size;
      table.entrySize[row] = COMPACT_RECORD.size;
    }
  }
}
