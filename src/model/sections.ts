/** Section headers as columns. Row 0 is a null section, which some formats do not store. */
import { decodeName } from '#bytes/text.ts';
import { SHF, SHT } from '#formats/elf/constants.ts';
import { type Columns, newColumns } from './columns.ts';
import { type SectionIndex, sectionIndex } from './ids.ts';

const COLUMNS = {
  /** Offset of the section name in `names`. */
  nameOff: Uint32Array,
  type: Uint32Array,
  flags: BigUint64Array,
  addr: BigUint64Array,
  /** Fields `sh_offset` and `sh_size` as stored, unchecked. */
  declaredOffset: BigUint64Array,
  declaredSize: BigUint64Array,
  /** Position of the bytes that are in the file. The length is 0 for NOBITS. */
  fileOffset: Float64Array,
  byteLength: Float64Array,
  link: Uint32Array,
  info: Uint32Array,
  addralign: BigUint64Array,
  entsize: BigUint64Array,
  /** File offset of the section header; -1 for a row 0 that the file does not store. */
  headerOffset: Float64Array,
};

export type SectionTable = Columns<typeof COLUMNS> & {
  readonly count: number;
  /** Table of section names; may be empty. */
  readonly names: Uint8Array;
  /** Size of a section header in bytes (`e_shentsize`). */
  readonly headerSize: number;
};

/** Returns a table of `count` empty sections. `headerSize` is in bytes. */
export function newSections(
  count: number,
  headerSize: number,
  names = new Uint8Array(0),
): SectionTable {
  return { count, names, headerSize, ...newColumns(COLUMNS, count) };
}

export const NO_SECTIONS: SectionTable = newSections(0, 0);

/** Returns the name of a section, not escaped; empty if it has none. */
export function sectionName(sections: SectionTable, index: SectionIndex): string {
  const off = sections.nameOff[index];
  return off === undefined ? '' : decodeName(sections.names, off);
}

/** Returns true if the section has the ASCII name `name`. Fast: does not decode names. */
export function isNamed(sections: SectionTable, index: SectionIndex, name: string): boolean {
  const off = sections.nameOff[index];
  if (off === undefined || !nameStartsWith(sections, index, name)) return false;
  return (sections.names[off + name.length] ?? 0) === 0;
}

/** Returns true if the name of the section begins with the ASCII text `start`. */
export function nameStartsWith(
  { names, nameOff }: SectionTable,
  index: SectionIndex,
  start: string,
): boolean {
  const off = nameOff[index];
  if (off === undefined) return false;
  for (let i = 0; i < start.length; i++) if (names[off + i] !== start.charCodeAt(i)) return false;
  return true;
}

/** Returns the number of sections, without a row 0 that the file does not store. */
export function sectionCount({ count, headerOffset }: SectionTable): number {
  return headerOffset[0] === -1 ? count - 1 : count;
}

/** Returns the first section that contains the byte at file offset `at`, or null. */
export function sectionAt(sections: SectionTable, at: number): SectionIndex | null {
  const { count, fileOffset, byteLength } = sections;
  for (let i = 1; i < count; i++) {
    const start = fileOffset[i] ?? 0;
    if (at >= start && at < start + (byteLength[i] ?? 0)) return sectionIndex(i);
  }
  return null;
}

/** Returns true for a section without SHF_EXECINSTR; false for index -1 (no section). */
export function isData({ flags }: SectionTable, index: number): boolean {
  return ((flags[index] ?? SHF.execinstr) & SHF.execinstr) === 0n;
}

/** Returns true if the section ends after the end of the file. */
export function isCutShort(sections: SectionTable, index: SectionIndex): boolean {
  const type = sections.type[index];
  if (type === SHT.null || type === SHT.nobits) return false;
  return (sections.declaredSize[index] ?? 0n) > BigInt(sections.byteLength[index] ?? 0);
}

/** Returns true if the section contains executable code (`SHF_EXECINSTR`). */
export function isCode(sections: SectionTable, index: SectionIndex): boolean {
  return !isData(sections, index) && sections.type[index] === SHT.progbits;
}
