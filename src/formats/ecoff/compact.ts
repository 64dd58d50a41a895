/**
 * Compact relocations, a subsection of `.comment` in linked objects: what the
 * prediction of relocations from the code got wrong.
 *
 * Source: Tru64 UNIX Object File and Symbol Table Format Specification, section
 * 4.4.2. Only the version and the file header have a fixed place; the four
 * tables lie where the header says, counted from the start of the subsection.
 */
import type { ByteReader } from '#bytes/byte-reader.ts';
import {
  type CColumns,
  type ColumnsOf,
  type CStruct,
  cStruct,
  readColumns,
  type ValuesOf,
} from '#bytes/c-struct.ts';
import { attempt, type Issue, Malformed } from '#bytes/issue.ts';
import { decodeName } from '#bytes/text.ts';
import { SECTION_NAME_SIZE } from './section-headers.ts';

/** The version, then `cmrlc_file_header`. */
export const COMPACT_HEADER = cStruct({
  versionMajor: 'u32',
  versionMinor: 'u32',
  scnNum: 'u64 section headers',
  rlcNum: 'u64 compact records',
  exprNum: 'u64 entries of expressions',
  gpvalNum: 'u64 gp values',
  scnOff: 'x64',
  rlcOff: 'x64',
  exprOff: 'x64',
  gpvalOff: 'x64',
});

/** Counts and first indexes of one section's elements in the three tables. */
export const COMPACT_SECTION = cStruct({
  name: 'char8',
  rlcSnum: 'u64',
  exprSnum: 'u64',
  gpvalSnum: 'u64',
  rlcIndx: 'u64',
  exprIndx: 'u64',
  gpvalIndx: 'u64',
  /** Bit 0: the records are sorted. */
  sorted: 'u64',
});

export type CompactSection = ValuesOf<typeof COMPACT_SECTION> & {
  readonly fileOffset: number;
  readonly name: string;
  readonly isSorted: boolean;
};

/** `cmrlc_file_rlc`: bytes from the start of the section, and what `compact-records.ts` takes apart. */
export const COMPACT_RECORD = cStruct({
  vOffset: 'x32 bytes from the start of the section',
  info: 'x32',
});

/** `cmrlc_file_expr`. */
export const COMPACT_EXPRESSION = cStruct({ vaddr: 'x64', info: 'x32', reserved: 'u32' });

/** `gpOffset` is added to the gp of the optional header. */
export const COMPACT_GP_VALUE = cStruct({ vaddr: 'x64', gpOffset: 'u32', reserved: 'u32' });

type Table<S> = ColumnsOf<S> & { readonly fileOffset: number; readonly count: number };

export type CompactRecordTable = Table<typeof COMPACT_RECORD>;

export type CompactExpressionTable = Table<typeof COMPACT_EXPRESSION>;

export type CompactRelocations = {
  readonly header: ValuesOf<typeof COMPACT_HEADER>;
  readonly sections: readonly CompactSection[];
  readonly records: CompactRecordTable;
  readonly expressions: CompactExpressionTable;
  readonly gpValues: Table<typeof COMPACT_GP_VALUE>;
};

/**
 * Reads the subsection. Throws `Malformed` where it has no room for version and
 * header; a table that is not in it becomes an issue and is empty.
 */
export function readCompactRelocations(data: ByteReader, issues: Issue[]): CompactRelocations {
  data.require(0, COMPACT_HEADER.size, 'the header of the compact relocations');
  const header = COMPACT_HEADER.read(data);
  const bytesOf = (num: bigint, off: bigint, { size }: { readonly size: number }, what: string) =>
    attempt(issues, () => tableOf(data, num, off, size, what)) ?? data.slice(0, 0);
  const { scnNum, scnOff, rlcNum, rlcOff, exprNum, exprOff, gpvalNum, gpvalOff } = header;
  return {
    header,
    sections: readSections(bytesOf(scnNum, scnOff, COMPACT_SECTION, 'section headers')),
    records: readTable(COMPACT_RECORD, bytesOf(rlcNum, rlcOff, COMPACT_RECORD, 'records')),
    expressions: readTable(
      COMPACT_EXPRESSION,
      bytesOf(exprNum, exprOff, COMPACT_EXPRESSION, 'expressions'),
    ),
    gpValues: readTable(
      COMPACT_GP_VALUE,
      bytesOf(gpvalNum, gpvalOff, COMPACT_GP_VALUE, 'gp values'),
    ),
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
  const { size } = COMPACT_SECTION;
  return Array.from({ length: r.length / size }, (_, i) => {
    const header = COMPACT_SECTION.read(r, i * size);
    return {
      ...header,
      fileOffset: r.fileOffset + i * size,
      name: decodeName(r.bytes.subarray(i * size, i * size + SECTION_NAME_SIZE), 0),
      isSorted: (header.sorted & 1n) === 1n,
    };
  });
}

function readTable<
  Fields extends Readonly<Record<string, 'x64' | 'x32' | 'u32' | `x32 ${string}`>>,
>(
  struct: CStruct<Fields>,
  r: ByteReader,
): CColumns<Fields> & { readonly fileOffset: number; readonly count: number } {
  const count = r.length / struct.size;
  return { ...readColumns(struct, r, count), fileOffset: r.fileOffset, count };
}
