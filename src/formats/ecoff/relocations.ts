/**
 * The relocation entries of one section (`struct reloc`), as columns: a section
 * may have hundreds of thousands.
 *
 * Source: Tru64 UNIX Object File and Symbol Table Format Specification,
 * sections 4.2.1 and 4.3.4.1. Section 4.2.3 says that an overflowed count is in
 * r_symndx; 4.3.4.1, its example and real files have it in r_vaddr.
 */
import type { ByteReader } from '#bytes/byte-reader.ts';
import { type ColumnsOf, cStruct, readColumns } from '#bytes/c-struct.ts';
import { type Issue, Malformed } from '#bytes/issue.ts';
import { wholeRecordsAt } from './regions.ts';
import { R } from './relocation-types.ts';
import { NRELOC_OVERFLOW, type SectionHeader } from './section-headers.ts';

/** `struct reloc`; `bits` holds type, extern, offset, reserved and size. */
const RELOCATION = cStruct({ rVaddr: 'x64', rSymndx: 'u32', bits: 'x32' });

export const RELOCATION_SIZE = RELOCATION.size;

export type RelocationTable = ColumnsOf<typeof RELOCATION> & {
  /** Index of the section that the entries patch. */
  readonly section: number;
  /** File offset of the first entry. */
  readonly fileOffset: number;
  /** Entries that are here; fewer than declared where the file ends before. */
  readonly count: number;
  /** Whether the count came from the first entry, which counts itself. */
  readonly overflow: boolean;
};

/** One entry of a table, all fields as stored. */
export type Relocation = {
  readonly rVaddr: bigint;
  readonly rSymndx: number;
  readonly rType: number;
  readonly rExtern: boolean;
  /** Bit offset of an OP_STORE in its quadword. */
  readonly rOffset: number;
  readonly rReserved: number;
  /** Bits that an OP_STORE takes; subtype of an IMMED. */
  readonly rSize: number;
};

/**
 * Reads the entries of `section`. What the file does not hold, or a count that
 * cannot be, becomes an issue; the entries that are there are read all the same.
 * Throws `Malformed` (`ecoff.relocations-overlap`) for more than `most` entries.
 */
export function readRelocations(
  file: ByteReader,
  section: SectionHeader,
  most: number,
  issues: Issue[],
): RelocationTable {
  const { count: declared, overflow } = declaredCount(file, section, issues);
  const count = wholeRecordsAt(file, section.sRelptr, declared, RELOCATION_SIZE);
  if (BigInt(count) < declared) issues.push(cutIssue(file, section, declared, count));
  if (count > most) throw overlap(file, section, count, most);

  const fileOffset = count > 0 ? Number(section.sRelptr) : 0;
  const r = file.slice(fileOffset, count * RELOCATION_SIZE, regionName(section));
  const columns = readColumns(RELOCATION, r, count);
  return { ...columns, section: section.index, fileOffset, count, overflow };
}

/** The entry `n` of a table; all fields 0 where there is none. */
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
    new Malformed({
      code: 'ecoff.overflow-count',
      severity: 'warning',
      region: r.region,
      message: `${section.name} says that its first relocation entry counts them, but that entry does not`,
      span: r.span(0, RELOCATION_SIZE),
      expected: 'type 0 (R_ABS) and a count that includes the entry',
      found: `type ${type}, r_vaddr ${count}`,
    }).issue,
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

function overlap(file: ByteReader, section: SectionHeader, count: number, most: number): Malformed {
  return new Malformed({
    code: 'ecoff.relocations-overlap',
    region: regionName(section),
    message: `The relocation entries of ${section.name} lie over those of other sections`,
    span: file.span(Number(section.sRelptr), count * RELOCATION_SIZE),
    expected: `at most ${most} more entries in a file of this size`,
    found: `${count}`,
  });
}

function regionName(section: SectionHeader): string {
  return `${section.name} relocations`;
}
