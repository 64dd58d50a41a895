/**
 * Compact relocations of linked objects, in `.comment`: relocations that cannot be predicted from
 * the code. Source: Tru64 UNIX Object File and Symbol Table Format, section 4.4.2.
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
import { decodeName, numberedNames } from '#bytes/text.ts';
import { SECTION_NAME_SIZE } from './section-headers.ts';

/** Version number, then the fields of `cmrlc_file_header`. */
export const COMPACT_HEADER = cStruct({
  versionMajor: 'u32 changes with the interface',
  versionMinor: 'u32 changes with the heuristic alone',
  scnNum: 'u64 section headers',
  rlcNum: 'u64 compact records',
  exprNum: 'u64 entries of expressions',
  gpvalNum: 'u64 gp values',
  scnOff: 'x64 section headers, from the start of the subsection; 0: none',
  rlcOff: 'x64 compact records, from the start of the subsection; 0: none',
  exprOff: 'x64 expressions, from the start of the subsection; 0: none',
  gpvalOff: 'x64 gp values, from the start of the subsection; 0: none',
});

/** For one section: numbers of entries in each of the three tables, and their first indexes. */
export const COMPACT_SECTION = cStruct({
  name: 'char8 the section of the same name, its only link to that header',
  rlcSnum: 'u64 compact records of this section',
  exprSnum: 'u64 entries of expressions of this section',
  gpvalSnum: 'u64 gp values of this section',
  rlcIndx: 'u64 index of its first compact record, not a byte offset',
  exprIndx: 'u64 index of its first entry of expressions, not a byte offset',
  gpvalIndx: 'u64 index of its first gp value, not a byte offset',
  sorted: 'u64 bit 0: the records are in order of address',
});

export type CompactSection = ValuesOf<typeof COMPACT_SECTION> & {
  readonly fileOffset: number;
  readonly name: string;
  readonly isSorted: boolean;
};

/** Fields of `cmrlc_file_rlc`. `compactRecordAt` decodes `info`. */
export const COMPACT_RECORD = cStruct({
  vOffset: 'x32 bytes from the start of the section',
  info: 'x32',
});

/** Fields of `cmrlc_file_expr`. */
export const COMPACT_EXPRESSION = cStruct({
  vaddr: 'x64 r_vaddr of the entry',
  info: 'x32',
  reserved: 'u32',
});

/** A gp value. The real value is `gpOffset` plus the gp of the optional header. */
export const COMPACT_GP_VALUE = cStruct({
  vaddr: 'x64 where the gp range begins',
  gpOffset: 'u32 added to gp_value of the header',
  reserved: 'u32',
});

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

/** Reads compact relocations. A misplaced table becomes an issue. Throws if `data` is too short. */
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

type ColumnWidth = 'x64' | 'x32' | 'u32';

function readTable<
  Fields extends Readonly<Record<string, ColumnWidth | `${ColumnWidth} ${string}`>>,
>(
  struct: CStruct<Fields>,
  r: ByteReader,
): CColumns<Fields> & { readonly fileOffset: number; readonly count: number } {
  const count = r.length / struct.size;
  return { ...readColumns(struct, r, count), fileOffset: r.fileOffset, count };
}

/**
 * A decoded compact relocation. TLS_HIGH and TLS_LOW are decoded like BRADDR. Source: Tru64 UNIX
 * Object File and Symbol Table Format, sections 4.4.2.4 and 4.4.2.5.
 */

export type CompactRecord = {
  readonly vOffset: number;
  readonly type: number;
  /** Name `CMRLC_…` of the type; null for an unknown type. */
  readonly typeName: string | null;
  readonly meaning: CompactMeaning;
};

export type CompactMeaning =
  | { readonly kind: 'address'; readonly relScn: number; readonly count: number }
  /** `ldaOffset`: number of instructions from the entry to its lda. */
  | { readonly kind: 'gpdisp'; readonly ldaOffset: number }
  | { readonly kind: 'other'; readonly relScn: number; readonly isAssumed: boolean }
  | { readonly kind: 'expression'; readonly index: number }
  | { readonly kind: 'immed-high'; readonly subop: number; readonly brOffset: number }
  | { readonly kind: 'immed-low'; readonly subop: number; readonly relScn: number }
  /** `adjust`: a signed number whose unit is not published. */
  | { readonly kind: 'adjust'; readonly adjust: number }
  | { readonly kind: 'nothing' };

type CompactExpressionEntry = {
  readonly vaddr: bigint;
  readonly type: number;
  /** Name `CMRLC_EXPR_…` of the type; null for an unknown type. */
  readonly typeName: string | null;
  readonly relScn: number;
  readonly offset: number;
  readonly size: number;
  readonly isLast: boolean;
  readonly reserved: number;
};

/** `CMRLC_VADJUST`: its `v_offset` is no place. */
export const VADJUST = 14;

const TYPE_NAMES = numberedNames(`CMRLC_*
  1: REFLONG REFQUAD GPREL32 GPDISP BRADDR HINT SREL16 SREL32 SREL64 EXPRESSION IMMEDHI IMMEDLO
  NO_RELOC VADJUST TLS_HIGH TLS_LOW
`);
const EXPRESSION_NAMES = numberedNames('CMRLC_EXPR_* 1: PUSH PSUB PRSHIFT STORE');

/** Returns, by record, the index of the last section header that claims it; -1 for none. */
export function compactOwners({ records, sections }: CompactRelocations): Int32Array {
  return ownersOf(
    records.count,
    sections.map(({ rlcIndx, rlcSnum }) => [rlcIndx, rlcSnum]),
  );
}

/** Returns, by gp value, the index of the last section header that claims it; -1 for none. */
export function gpValueOwners({ gpValues, sections }: CompactRelocations): Int32Array {
  return ownersOf(
    gpValues.count,
    sections.map(({ gpvalIndx, gpvalSnum }) => [gpvalIndx, gpvalSnum]),
  );
}

type Claim = readonly [first: bigint, number: bigint];

/** The work is bounded by `count`, also for claims that overlap. */
function ownersOf(count: number, claims: readonly Claim[]): Int32Array {
  const owners = new Int32Array(count).fill(-1);
  let room = count;
  for (const [i, [first, number]] of claims.entries()) {
    if (room === 0) break;
    const start = first < BigInt(count) ? Number(first) : count;
    const rest = Math.min(count - start, room);
    const length = number < BigInt(rest) ? Number(number) : rest;
    owners.fill(i, start, start + length);
    room -= length;
  }
  return owners;
}

/**
 * Returns, by record, true after a VADJUST of its section: the unit of the adjustment is not
 * published, so the place of the record is unknown.
 */
export function areAdjusted({ records }: CompactRelocations, owners: Int32Array): Uint8Array {
  const adjusted = new Uint8Array(records.count);
  for (let i = 1; i < records.count; i++) {
    if (owners[i] !== owners[i - 1]) continue;
    const isAfter = ((records.info[i - 1] ?? 0) & 31) === VADJUST;
    adjusted[i] = isAfter ? 1 : (adjusted[i - 1] ?? 0);
  }
  return adjusted;
}

/** Returns record `index` of the table. The meaning `nothing` stands for unknown bits. */
export function compactRecordAt(table: CompactRecordTable, index: number): CompactRecord {
  const info = table.info[index] ?? 0;
  const type = info & 31;
  return {
    vOffset: table.vOffset[index] ?? 0,
    type,
    typeName: TYPE_NAMES.get(type) ?? null,
    meaning: meaningOf(type, info),
  };
}

/** Returns entry `index` of the table of expressions. */
export function compactExpressionAt(
  table: CompactExpressionTable,
  index: number,
): CompactExpressionEntry {
  const info = table.info[index] ?? 0;
  return {
    vaddr: table.vaddr[index] ?? 0n,
    type: info & 31,
    typeName: EXPRESSION_NAMES.get(info & 31) ?? null,
    relScn: (info >>> 5) & 31,
    offset: (info >>> 10) & 63,
    size: (info >>> 16) & 63,
    isLast: ((info >>> 22) & 1) === 1,
    reserved: table.reserved[index] ?? 0,
  };
}

function meaningOf(type: number, info: number): CompactMeaning {
  const relScn = (info >>> 5) & 31;
  const subop = (info >>> 5) & 63;
  switch (type) {
    case 1:
    case 2:
    case 3:
    case 7:
    case 8:
    case 9:
      return { kind: 'address', relScn, count: (info >>> 10) & 0xfff };
    case 4:
      return { kind: 'gpdisp', ldaOffset: info >>> 5 };
    case 5:
    case 6:
      return { kind: 'other', relScn, isAssumed: false };
    case 10:
      return { kind: 'expression', index: info >>> 5 };
    case 11:
      return { kind: 'immed-high', subop, brOffset: info >>> 11 };
    case 12:
      return { kind: 'immed-low', subop, relScn: (info >>> 11) & 31 };
    case 14:
      return { kind: 'adjust', adjust: info >> 5 };
    case 15:
    case 16:
      return { kind: 'other', relScn, isAssumed: true };
    default:
      return { kind: 'nothing' };
  }
}
