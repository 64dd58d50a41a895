/**
 * Relocation entries of one section (`struct reloc`) as columns. Source: Tru64 UNIX Object File and
 * Symbol Table Format, sections 4.2.1 and 4.3.4.1. A count of entries that is too large for the
 * section header is in r_vaddr of the first entry, contrary to section 4.2.3.
 */
import type { ByteReader } from '#bytes/byte-reader.ts';
import { type ColumnsOf, cStruct, readColumns } from '#bytes/c-struct.ts';
import { type Issue, Malformed } from '#bytes/issue.ts';
import { lookupIn, numberedNames } from '#bytes/text.ts';
import { wholeRecordsAt } from './headers.ts';
import { NRELOC_OVERFLOW, type SectionHeader } from './section-headers.ts';

/** Fields of `struct reloc`. `bits` contains type, extern, offset, reserved bits and size. */
const RELOCATION = cStruct({ rVaddr: 'x64', rSymndx: 'u32', bits: 'x32' });

export const RELOCATION_SIZE = RELOCATION.size;

export type RelocationTable = ColumnsOf<typeof RELOCATION> & {
  readonly section: number;
  readonly fileOffset: number;
  /** Number of entries that are in the file. It is less than declared if the file ends early. */
  readonly count: number;
  /** True if the first entry contains the number of entries, itself included. */
  readonly overflow: boolean;
};

/** One relocation entry, with all fields as stored. */
export type Relocation = {
  readonly rVaddr: bigint;
  readonly rSymndx: number;
  readonly rType: number;
  readonly rExtern: boolean;
  /** Bit offset in the quadword, in an OP_STORE entry. */
  readonly rOffset: number;
  readonly rReserved: number;
  /** Number of written bits in an OP_STORE entry; subtype in an IMMED entry. */
  readonly rSize: number;
};

/**
 * Reads the entries of `section` that are in the file. Missing entries become an issue. Throws
 * `Malformed` (`ecoff.relocations-overlap`) for more than `maxCount` entries.
 */
export function readRelocations(
  file: ByteReader,
  section: SectionHeader,
  maxCount: number,
  issues: Issue[],
): RelocationTable {
  const { count: declared, overflow } = declaredCount(file, section, issues);
  const count = wholeRecordsAt(file, section.sRelptr, declared, RELOCATION_SIZE);
  if (BigInt(count) < declared) issues.push(cutIssue(file, section, declared, count));
  if (count > maxCount)
    throw new Malformed({
      code: 'ecoff.relocations-overlap',
      region: regionName(section),
      message: `The relocation entries of ${section.name} lie over those of other sections`,
      span: file.span(Number(section.sRelptr), count * RELOCATION_SIZE),
      expected: `at most ${maxCount} more entries in a file of this size`,
      found: `${count}`,
    });

  const fileOffset = count > 0 ? Number(section.sRelptr) : 0;
  const r = file.slice(fileOffset, count * RELOCATION_SIZE, regionName(section));
  const columns = readColumns(RELOCATION, r, count);
  return { ...columns, section: section.index, fileOffset, count, overflow };
}

/** Returns entry `n` of the table. All fields are 0 if there is no such entry. */
export function relocationAt(table: RelocationTable, n: number): Relocation {
  const bits = table.bits[n] ?? 0;
  return {
    rVaddr: table.rVaddr[n] ?? 0n,
    rSymndx: table.rSymndx[n] ?? 0,
    rType: bits & 0xff,
    rExtern: (bits & 0x100) !== 0,
    rOffset: (bits >>> 9) & 0x3f,
    rReserved: (bits >>> 15) & 0x7ff,
    rSize: bits >>> 26,
  };
}

function declaredCount(
  file: ByteReader,
  section: SectionHeader,
  issues: Issue[],
): { readonly count: bigint; readonly overflow: boolean } {
  const plain = { count: BigInt(section.sNreloc), overflow: false };
  if ((section.sFlags & NRELOC_OVERFLOW) === 0) return plain;
  if (wholeRecordsAt(file, section.sRelptr, 1n, RELOCATION_SIZE) === 0) return plain;
  const r = file.slice(Number(section.sRelptr), RELOCATION_SIZE, regionName(section));
  const count = r.u64(0);
  const type = r.u32(12) & 0xff;
  if (type === R.abs && count > 0n) return { count, overflow: true };
  issues.push(
    r.malformed(
      'ecoff.overflow-count',
      `${section.name} says that its first relocation entry counts them, but that entry does not`,
      {
        at: [0, RELOCATION_SIZE],
        severity: 'warning',
        expected: 'type 0 (R_ABS) and a count that includes the entry',
        found: `type ${type}, r_vaddr ${count}`,
      },
    ).issue,
  );
  return plain;
}

function cutIssue(
  file: ByteReader,
  section: SectionHeader,
  declared: bigint,
  count: number,
): Issue {
  const end = section.sRelptr + BigInt(count * RELOCATION_SIZE);
  const start = end < BigInt(file.length) ? Number(end) : file.length;
  return new Malformed({
    code: 'ecoff.relocations-cut',
    region: regionName(section),
    message: `The file ends inside the relocation entries of ${section.name}`,
    span: file.span(start, file.length - start),
    expected: `${declared} entries at offset ${section.sRelptr}`,
    found: `${count} whole entries`,
  }).issue;
}

function regionName(section: SectionHeader): string {
  return `${section.name} relocations`;
}

/** Types and subtypes of entries. Source: the document above, tables 4-2 to 4-4. */

/** Values of `r_type`. */
export const R = {
  abs: 0,
  reflong: 1,
  refquad: 2,
  gprel32: 3,
  literal: 4,
  lituse: 5,
  gpdisp: 6,
  braddr: 7,
  hint: 8,
  srel16: 9,
  srel32: 10,
  srel64: 11,
  opPush: 12,
  opStore: 13,
  opPsub: 14,
  opPrshift: 15,
  gpvalue: 16,
  gprelhigh: 17,
  gprellow: 18,
  immed: 19,
  tlsLiteral: 20,
  tlsHigh: 21,
  tlsLow: 22,
} as const;

/** Values of `r_symndx` in a LITUSE entry. */
export const LITUSE = { base: 1, bytoff: 2, jsr: 3 } as const;

/** Values of `r_size` in an IMMED entry. */
export const IMMED = { gp16: 1, gpHi32: 2, scnHi32: 3, brHi32: 4, lo32: 5 } as const;

/** Returns the name of a relocation type without `R_`; null for an unknown type. */
export const relocationTypeName = lookupIn(
  numberedNames(`
  ABS REFLONG REFQUAD GPREL32 LITERAL LITUSE GPDISP BRADDR HINT SREL16 SREL32 SREL64 OP_PUSH
  OP_STORE OP_PSUB OP_PRSHIFT GPVALUE GPRELHIGH GPRELLOW IMMED TLS_LITERAL TLS_HIGH TLS_LOW
`),
);

/** Returns the name `R_LU_…` of a literal use; null for an unknown number. */
export const lituseName = lookupIn(numberedNames('R_LU_* 1: BASE BYTOFF JSR'));

/** Returns the name `R_IMMED_…` of a subtype; null for an unknown number. */
export const immedName = lookupIn(
  numberedNames('R_IMMED_* 1: GP_16 GP_HI32 SCN_HI32 BR_HI32 LO32'),
);

/** Section numbers in local relocation entries (`R_SN_*`). Source: table 4-1 of the document. */

/** Section number `R_SN_ABS`: the address of the entry is a constant. */
export const R_SN_ABS = 14;
/** Section number `R_SN_LITA`: the pool of literal addresses. */
export const R_SN_LITA = 13;
export const R_SN_TLSDATA = 16;
export const R_SN_TLSBSS = 17;

const SECTION_NAMES = numberedNames(`
  R_SN_NULL .text .rdata .data .sdata .sbss .bss .init .lit8 .lit4 .xdata .pdata .fini .lita
  R_SN_ABS .rconst .tlsdata .tlsbss .tlsinit
`);

const NUMBERS = new Map(Array.from(SECTION_NAMES, ([number, name]) => [name, number]));

/** Returns the section name in the document (`.text`, `R_SN_ABS`); null for an unknown number. */
export const sectionNumberName = lookupIn(SECTION_NAMES);

/** Returns the number of the section `name` in local entries; null if it has no number. */
export function sectionNumberOf(name: string): number | null {
  return name.startsWith('.') ? (NUMBERS.get(name) ?? null) : null;
}
