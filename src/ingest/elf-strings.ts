/** The string tables that symbol tables link to, joined into one. */
import type { ByteSource } from '#bytes/source.ts';
import { SHT } from '#formats/elf/constants.ts';
import type { ElfHeader } from '#formats/elf/header.ts';
import type { SectionTable } from '#model/sections.ts';
import { type Faults, tally } from './elf-faults.ts';
import { Allowance } from './elf-pieces.ts';
import { sectionFieldSpan, sectionLabel } from './elf-places.ts';
import { MAX_NAME_BYTES } from './elf-section-names.ts';

/** A place in the joined names that is outside of them, so that the name is empty. */
export const NO_NAME = 0xffffffff;

export type StringTable = {
  /** Where it begins in the joined bytes. */
  readonly start: number;
  readonly length: number;
  readonly label: string;
};

export type StringTables = {
  readonly bytes: Uint8Array;
  /** The string table of a symbol table by its section index; null where it has none that can be used. */
  readonly of: (symbolTable: number) => StringTable | null;
};

/** Reads what the given symbol tables (section indices) link to, each string table once. */
export async function readStringTables(
  source: ByteSource,
  header: ElfHeader,
  sections: SectionTable,
  symbolTables: readonly number[],
  faults: Faults,
): Promise<StringTables> {
  const allowance = new Allowance(source.size, MAX_NAME_BYTES);
  const bySection = new Map<number, StringTable>();
  const byTable = new Map<number, StringTable>();
  let total = 0;
  for (const index of symbolTables) {
    const link = sections.link[index] ?? 0;
    if (!isUsable(sections, header, index, faults)) continue;
    let table = bySection.get(link);
    if (table === undefined) {
      const length = allowance.take(sections.byteLength[link] ?? 0, 1);
      table = { start: total, length, label: sectionLabel(sections, link) };
      bySection.set(link, table);
      // One byte of 0 behind each table: a name without an end must not run into the next one.
      total += length + 1;
    }
    byTable.set(index, table);
  }
  const bytes = new Uint8Array(total);
  for (const [link, { start, length }] of bySection) {
    const fileOffset = sections.fileOffset[link] ?? 0;
    bytes.set(await source.read(fileOffset, fileOffset + length), start);
  }
  return { bytes, of: (symbolTable) => byTable.get(symbolTable) ?? null };
}

function isUsable(
  sections: SectionTable,
  header: ElfHeader,
  symbolTable: number,
  faults: Faults,
): boolean {
  const link = sections.link[symbolTable] ?? 0;
  const label = sectionLabel(sections, symbolTable);
  const type = link < sections.count ? sections.type[link] : undefined;
  if (type === SHT.strtab) return true;
  if (type === SHT.nobits) {
    const linked = sectionLabel(sections, link);
    faults.add('elf.string-table-empty', () => ({
      severity: 'error',
      region: linked,
      message: tally(`${linked} has no bytes, symbols have no names`, label),
      span: sectionFieldSpan(sections, header, link, 'sh_type'),
      expected: `${SHT.strtab} (SHT_STRTAB)`,
      found: `${SHT.nobits} (SHT_NOBITS)`,
    }));
    return false;
  }
  faults.add('elf.no-string-table', () => ({
    severity: 'error',
    region: label,
    message: (count) =>
      `${label}: string table is not a string table, symbols have no names` +
      (count > 1 ? `, nor have those of ${count - 1} more symbol tables` : ''),
    span: sectionFieldSpan(sections, header, symbolTable, 'sh_link'),
    expected: 'the index of a section of type SHT_STRTAB',
    found: type === undefined ? `${link}, no such section` : `${link}, of type ${type}`,
  }));
  return false;
}
