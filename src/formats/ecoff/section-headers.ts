/**
 * The section headers (`struct scnhdr`), behind the optional header.
 *
 * Source: Tru64 UNIX Object File and Symbol Table Format Specification, chapter
 * 2 (section headers); flag values as published with it. Headers, raw data and
 * relocation tables lie in no common order: only the pointers say where.
 */
import type { ByteReader } from '#bytes/byte-reader.ts';
import { cStruct, type ValuesOf } from '#bytes/c-struct.ts';
import { type Issue, Malformed } from '#bytes/issue.ts';
import { decodeName } from '#bytes/text.ts';
import { FILE_HEADER, type FileHeader } from './headers.ts';

/** `s_name` ends at its first NUL. */
export const SECTION_HEADER = cStruct({
  sName: 'char8',
  sPaddr: 'x64',
  sVaddr: 'x64 address',
  sSize: 'x64 bytes',
  sScnptr: 'x64 file offset of its data',
  sRelptr: 'x64 file offset of its relocation entries',
  sLnnoptr: 'x64',
  sNreloc: 'u16 relocation entries',
  sNlnno: 'u16',
  sFlags: 'x32',
});

export type SectionHeader = ValuesOf<typeof SECTION_HEADER> & {
  readonly index: number;
  /** Of the header itself. */
  readonly fileOffset: number;
  readonly name: string;
};

export const SECTION_NAME_SIZE = 8;

/** `S_NRELOC_OVFL`: the first relocation entry holds the number of entries. */
export const NRELOC_OVERFLOW = 0x20000000;

const LOW_FLAGS: readonly (readonly [number, string])[] = [
  [0x00000020, 'STYP_TEXT'],
  [0x00000040, 'STYP_DATA'],
  [0x00000080, 'STYP_BSS'],
  [0x00000100, 'STYP_RDATA'],
  [0x00000200, 'STYP_SDATA'],
  [0x00000400, 'STYP_SBSS'],
  [0x00001000, 'STYP_GOT'],
  [0x00002000, 'STYP_DYNAMIC'],
  [0x00004000, 'STYP_DYNSYM'],
  [0x00008000, 'STYP_RELDYN'],
  [0x00010000, 'STYP_DYNSTR'],
  [0x00020000, 'STYP_HASH'],
  [0x00040000, 'STYP_LIBLIST'],
  [0x00080000, 'STYP_CONFLIC'],
];

/** Bits 20 to 27 are a number, not flags. */
const KIND_MASK = 0x0ff00000;
const KINDS = new Map<number, string>([
  [0x01000000, 'STYP_FINI'],
  [0x02100000, 'STYP_COMMENT'],
  [0x02200000, 'STYP_RCONST'],
  [0x02300000, 'STYP_MSYM'],
  [0x02400000, 'STYP_XDATA'],
  [0x02500000, 'STYP_TLSDATA'],
  [0x02600000, 'STYP_TLSBSS'],
  [0x02700000, 'STYP_TLSINIT'],
  [0x02800000, 'STYP_PDATA'],
  [0x04000000, 'STYP_LITA'],
  [0x08000000, 'STYP_LIT8'],
]);

const HIGH_FLAGS: readonly (readonly [number, string])[] = [
  [0x10000000, 'STYP_LIT4'],
  [NRELOC_OVERFLOW, 'S_NRELOC_OVFL'],
  [0x40000000, 'STYP_LIB'],
  [0x80000000, 'STYP_INIT'],
];

/** Sections that have room in memory and no bytes in the file. */
const BSS_FLAGS = 0x00000480;
const TLSBSS_KIND = 0x02600000;

/**
 * Reads the headers. Those that the file ends before are left out, with one
 * issue (`ecoff.section-headers-cut`).
 */
export function readSectionHeaders(
  file: ByteReader,
  header: FileHeader,
  issues: Issue[],
): readonly SectionHeader[] {
  const start = FILE_HEADER.size + header.fOpthdr;
  const headers: SectionHeader[] = [];
  for (let index = 0; index < header.fNscns; index++) {
    const fileOffset = start + index * SECTION_HEADER.size;
    if (fileOffset + SECTION_HEADER.size > file.length) {
      issues.push(cutIssue(file, header.fNscns, index, Math.min(fileOffset, file.length)));
      break;
    }
    headers.push(readSectionHeader(file, index, fileOffset));
  }
  return headers;
}

function readSectionHeader(file: ByteReader, index: number, fileOffset: number): SectionHeader {
  const r = file.slice(fileOffset, SECTION_HEADER.size, 'section header');
  const name = decodeName(r.bytes.subarray(0, SECTION_NAME_SIZE), 0);
  return { ...SECTION_HEADER.read(r), index, fileOffset, name };
}

function cutIssue(file: ByteReader, count: number, read: number, start: number): Issue {
  return new Malformed({
    code: 'ecoff.section-headers-cut',
    region: 'section headers',
    message: 'The file ends before its last section header',
    span: file.span(start, file.length - start),
    expected: `${count} section headers`,
    found: `${read}`,
  }).issue;
}

/** Names of the flags that are set, from the lowest bit on. */
export function sectionFlagNames(sFlags: number): readonly string[] {
  const of = (flags: typeof LOW_FLAGS) =>
    flags.flatMap(([bit, name]) => ((sFlags & bit) === 0 ? [] : [name]));
  return [...of(LOW_FLAGS), ...kindNames(sFlags & KIND_MASK), ...of(HIGH_FLAGS)];
}

function kindNames(kind: number): readonly string[] {
  if (kind === 0) return [];
  return [KINDS.get(kind) ?? `STYP_0x${kind.toString(16)}`];
}

/** Whether the section's bytes are in the file. Sections of size 0 have none. */
export function hasRawData(section: SectionHeader): boolean {
  const isBss = (section.sFlags & BSS_FLAGS) !== 0 || (section.sFlags & KIND_MASK) === TLSBSS_KIND;
  return !isBss && section.sSize > 0n && section.sScnptr > 0n;
}
