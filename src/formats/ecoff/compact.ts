/**
 * Compact relocations, a subsection of `.comment` in linked objects: what the
 * prediction of relocations from the code got wrong.
 *
 * Source: Tru64 UNIX Object File and Symbol Table Format Specification, section
 * 4.4.2. Only the version and the file header have a fixed place; the four
 * tables lie where the header says, counted from the start of the subsection.
 */
import type { ByteReader } from '#bytes/byte-reader.ts';
import { attempt, type Issue, Malformed } from '#bytes/issue.ts';
import { decodeName } from '#bytes/text.ts';

const FILE_HEADER_OFFSET = 8;
const SECTION_HEADER_SIZE = 64;
const NAME_SIZE = 8;
const RECORD_SIZE = 8;
const EXPRESSION_SIZE = 16;
const GP_VALUE_SIZE = 16;

export type CompactFileHeader = {
  readonly scnNum: bigint;
  readonly rlcNum: bigint;
  readonly exprNum: bigint;
  readonly gpvalNum: bigint;
  readonly scnOff: bigint;
  readonly rlcOff: bigint;
  readonly exprOff: bigint;
  readonly gpvalOff: bigint;
};

/** Counts and first indexes of one section's elements in the three tables. */
export type CompactSection = {
  readonly fileOffset: number;
  readonly name: string;
  readonly rlcSnum: bigint;
  readonly exprSnum: bigint;
  readonly gpvalSnum: bigint;
  readonly rlcIndx: bigint;
  readonly exprIndx: bigint;
  readonly gpvalIndx: bigint;
  readonly isSorted: boolean;
};

/** `cmrlc_file_rlc`, as columns; what `info` means is in `compact-records.ts`. */
export type CompactRecordTable = {
  readonly fileOffset: number;
  readonly count: number;
  /** Bytes from the start of the section. */
  readonly vOffset: Uint32Array;
  readonly info: Uint32Array;
};

/** `cmrlc_file_expr`, as columns. */
export type CompactExpressionTable = {
  readonly fileOffset: number;
  readonly count: number;
  readonly vaddr: BigUint64Array;
  readonly info: Uint32Array;
  readonly reserved: Uint32Array;
};

/** The GP value table, as columns. */
export type CompactGpTable = {
  readonly fileOffset: number;
  readonly count: number;
  readonly vaddr: BigUint64Array;
  /** Added to the gp of the optional header. */
  readonly gpOffset: Uint32Array;
  readonly reserved: Uint32Array;
};

export type CompactRelocations = {
  readonly versionMajor: number;
  readonly versionMinor: number;
  readonly header: CompactFileHeader;
  readonly sections: readonly CompactSection[];
  readonly records: CompactRecordTable;
  readonly expressions: CompactExpressionTable;
  readonly gpValues: CompactGpTable;
};

/**
 * Reads the subsection. Throws `Malformed` where it has no room for version and
 * header; a table that is not in it becomes an issue and is empty.
 */
export function readCompactRelocations(data: ByteReader, issues: Issue[]): CompactRelocations {
  const header = readFileHeader(data);
  const table = (num: bigint, off: bigint, size: number, what: string) =>
    attempt(issues, () => tableOf(data, num, off, size, what)) ?? data.slice(0, 0);
  return {
    versionMajor: data.u32(0),
    versionMinor: data.u32(4),
    header,
    sections: readSections(
      table(header.scnNum, header.scnOff, SECTION_HEADER_SIZE, 'section headers'),
    ),
    records: readRecords(table(header.rlcNum, header.rlcOff, RECORD_SIZE, 'records')),
    expressions: readExpressions(
      table(header.exprNum, header.exprOff, EXPRESSION_SIZE, 'expressions'),
    ),
    gpValues: readGpValues(table(header.gpvalNum, header.gpvalOff, GP_VALUE_SIZE, 'gp values')),
  };
}

function readFileHeader(data: ByteReader): CompactFileHeader {
  const field = (i: number) =>
    data.u64(FILE_HEADER_OFFSET + i * 8, 'the header of the compact relocations');
  return {
    scnNum: field(0),
    rlcNum: field(1),
    exprNum: field(2),
    gpvalNum: field(3),
    scnOff: field(4),
    rlcOff: field(5),
    exprOff: field(6),
    gpvalOff: field(7),
  };
}

function tableOf(
  data: ByteReader,
  num: bigint,
  off: bigint,
  size: number,
  what: string,
): ByteReader {
  const length = num * BigInt(size);
  if (off + length <= BigInt(data.length)) {
    return data.slice(Number(off), Number(length), `compact ${what}`);
  }
  throw new Malformed({
    code: 'ecoff.compact-table',
    region: 'compact relocations',
    message: `The ${what} of the compact relocations do not lie in their subsection`,
    span: data.span(0, data.length),
    expected: `${num} of ${size} bytes at ${off}`,
    found: `a subsection of ${data.length} bytes`,
  });
}

function readSections(r: ByteReader): readonly CompactSection[] {
  const sections: CompactSection[] = [];
  for (let at = 0; at < r.length; at += SECTION_HEADER_SIZE) {
    sections.push({
      fileOffset: r.fileOffset + at,
      name: decodeName(r.bytes.subarray(at, at + NAME_SIZE), 0),
      rlcSnum: r.u64(at + 8),
      exprSnum: r.u64(at + 16),
      gpvalSnum: r.u64(at + 24),
      rlcIndx: r.u64(at + 32),
      exprIndx: r.u64(at + 40),
      gpvalIndx: r.u64(at + 48),
      isSorted: (r.u64(at + 56) & 1n) === 1n,
    });
  }
  return sections;
}

function readRecords(r: ByteReader): CompactRecordTable {
  const count = r.length / RECORD_SIZE;
  const vOffset = new Uint32Array(count);
  const info = new Uint32Array(count);
  for (let i = 0; i < count; i++) {
    vOffset[i] = r.u32(i * RECORD_SIZE);
    info[i] = r.u32(i * RECORD_SIZE + 4);
  }
  return { fileOffset: r.fileOffset, count, vOffset, info };
}

function readExpressions(r: ByteReader): CompactExpressionTable {
  const count = r.length / EXPRESSION_SIZE;
  const vaddr = new BigUint64Array(count);
  const info = new Uint32Array(count);
  const reserved = new Uint32Array(count);
  for (let i = 0; i < count; i++) {
    const at = i * EXPRESSION_SIZE;
    vaddr[i] = r.u64(at);
    info[i] = r.u32(at + 8);
    reserved[i] = r.u32(at + 12);
  }
  return { fileOffset: r.fileOffset, count, vaddr, info, reserved };
}

function readGpValues(r: ByteReader): CompactGpTable {
  const count = r.length / GP_VALUE_SIZE;
  const vaddr = new BigUint64Array(count);
  const gpOffset = new Uint32Array(count);
  const reserved = new Uint32Array(count);
  for (let i = 0; i < count; i++) {
    const at = i * GP_VALUE_SIZE;
    vaddr[i] = r.u64(at);
    gpOffset[i] = r.u32(at + 8);
    reserved[i] = r.u32(at + 12);
  }
  return { fileOffset: r.fileOffset, count, vaddr, gpOffset, reserved };
}
