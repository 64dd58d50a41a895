/**
 * Section headers (`struct scnhdr`). Source: Tru64 UNIX Object File and Symbol Table Format,
 * chapter 2. Raw data and relocation tables need not be in the order of their headers.
 */
import type { ByteReader } from '#bytes/byte-reader.ts';
import { cStruct, type ValuesOf } from '#bytes/c-struct.ts';
import { type Issue, Malformed } from '#bytes/issue.ts';
import { decodeName, namesOfBits, numberedNames } from '#bytes/text.ts';
import { FILE_HEADER, type FileHeader } from './headers.ts';

/** Fields of a section header. `s_name` ends at the first NUL. */
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
  readonly fileOffset: number;
  readonly name: string;
};

export const SECTION_NAME_SIZE = 8;

/** Flag `S_NRELOC_OVFL`: the number of relocations is in the first relocation entry. */
export const NRELOC_OVERFLOW = 0x20000000;

const LOW_FLAGS = numberedNames(`STYP_*
  0x20: TEXT 0x40: DATA 0x80: BSS 0x100: RDATA 0x200: SDATA 0x400: SBSS 0x1000: GOT
  0x2000: DYNAMIC 0x4000: DYNSYM 0x8000: RELDYN 0x10000: DYNSTR 0x20000: HASH 0x40000: LIBLIST
  0x80000: CONFLIC
`);

/** Mask of bits 20 to 27 of the flags. Together they are one number. */
export const KIND_MASK = 0x0ff00000;
const KINDS = numberedNames(`STYP_*
  0x01000000: FINI 0x02100000: COMMENT 0x02200000: RCONST 0x02300000: MSYM 0x02400000: XDATA
  0x02500000: TLSDATA 0x02600000: TLSBSS 0x02700000: TLSINIT 0x02800000: PDATA 0x04000000: LITA
  0x08000000: LIT8
`);

const HIGH_FLAGS = numberedNames(`STYP_*
  0x10000000: LIT4 0x20000000: =S_NRELOC_OVFL 0x40000000: LIB 0x80000000: INIT
`);

/** Flags of sections that take memory but have no bytes in the file. */
const BSS_FLAGS = 0x00000480;
const TLSBSS_KIND = 0x02600000;

/** Reads the section headers. Headers past the end of the file become one issue. */
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

/** Returns the names of the set flags, lowest bit first. */
export function sectionFlagNames(sFlags: number): readonly string[] {
  const kind = sFlags & KIND_MASK;
  const kinds = kind === 0 ? [] : [KINDS.get(kind) ?? `STYP_0x${kind.toString(16)}`];
  return [...namesOfBits(LOW_FLAGS, sFlags), ...kinds, ...namesOfBits(HIGH_FLAGS, sFlags)];
}

/** Returns true if the section has bytes in the file. */
export function hasRawData(section: SectionHeader): boolean {
  const isBss = (section.sFlags & BSS_FLAGS) !== 0 || (section.sFlags & KIND_MASK) === TLSBSS_KIND;
  return !isBss && section.sSize > 0n && section.sScnptr > 0n;
}
