/**
 * External symbols (`EXTR`) as columns. Relocation entries refer to symbols by index. Source: Tru64
 * UNIX Object File and Symbol Table Format, chapter 5; layout as in GNU BFD.
 */
import type { ByteReader } from '#bytes/byte-reader.ts';
import { type ColumnsOf, cStruct, readColumns } from '#bytes/c-struct.ts';
import type { Issue } from '#bytes/issue.ts';
import { decodeName, lookupIn, numberedNames } from '#bytes/text.ts';
import { type SymbolicHeader, wholeRecordsAt } from './headers.ts';

/** Fields of `EXTR` as stored. */
const EXTERNAL = cStruct({
  value: 'x64',
  /** Offset of the name in the external strings. */
  iss: 'i32',
  /** Bit fields: type, storage class, a reserved bit, index. */
  bits: 'x32',
  /** Flags jmptbl, cobol_main and weakext, from bit 0 on. */
  flags: 'x32',
  ifd: 'i32',
});

export const EXTERNAL_SIZE = EXTERNAL.size;

export type ExternalTable = ColumnsOf<typeof EXTERNAL> & {
  readonly fileOffset: number;
  readonly count: number;
  /** String table of the names; empty if it is not in the file. */
  readonly strings: Uint8Array;
};

export type ExternalSymbol = {
  readonly name: string;
  /** Address of the symbol, or size of a common symbol. */
  readonly value: bigint;
  readonly iss: number;
  readonly st: number;
  readonly sc: number;
  readonly symIndex: number;
  readonly isJmptbl: boolean;
  readonly isCobolMain: boolean;
  readonly isWeak: boolean;
  readonly ifd: number;
};

/** Reads the external symbols. Symbols past the end of the file become one issue. */
export function readExternals(
  file: ByteReader,
  symbolic: SymbolicHeader,
  issues: Issue[],
): ExternalTable {
  const declared = symbolic.iextMax;
  const offset = symbolic.cbExtOffset;
  const count = wholeRecordsAt(file, offset, BigInt(Math.max(0, declared)), EXTERNAL_SIZE);
  if (count !== declared) {
    issues.push(cutIssue(file, 'external symbols', offset, declared, count, EXTERNAL_SIZE));
  }
  const fileOffset = count > 0 ? Number(offset) : 0;
  const r = file.slice(fileOffset, count * EXTERNAL_SIZE, 'external symbols');
  const strings = readStrings(file, symbolic, issues);
  return { ...readColumns(EXTERNAL, r, count), fileOffset, count, strings };
}

/** Returns the symbol with number `index`; null if there is none. */
export function externalAt(table: ExternalTable, index: number): ExternalSymbol | null {
  if (index >= table.count) return null;
  const bits = table.bits[index] ?? 0;
  const flags = table.flags[index] ?? 0;
  const iss = table.iss[index] ?? 0;
  return {
    name: decodeName(table.strings, iss),
    value: table.value[index] ?? 0n,
    iss,
    st: bits & 0x3f,
    sc: (bits >>> 6) & 0x1f,
    symIndex: bits >>> 12,
    isJmptbl: (flags & 1) !== 0,
    isCobolMain: (flags & 2) !== 0,
    isWeak: (flags & 4) !== 0,
    ifd: table.ifd[index] ?? -1,
  };
}

function readStrings(file: ByteReader, symbolic: SymbolicHeader, issues: Issue[]): Uint8Array {
  const declared = symbolic.issExtMax;
  const offset = symbolic.cbSsExtOffset;
  const length = wholeRecordsAt(file, offset, BigInt(Math.max(0, declared)), 1);
  if (length !== declared) {
    issues.push(cutIssue(file, 'external strings', offset, declared, length, 1));
  }
  const start = length > 0 ? Number(offset) : 0;
  return file.bytes.subarray(start, start + length);
}

function cutIssue(
  file: ByteReader,
  region: string,
  offset: bigint,
  declared: number,
  count: number,
  recordSize: number,
): Issue {
  const end = offset + BigInt(count * recordSize);
  const start = end < BigInt(file.length) ? Number(end) : file.length;
  return file.malformed('ecoff.symbols-cut', `The file does not hold all of its ${region}`, {
    at: [start, file.length - start],
    expected: `${declared} at offset ${offset}`,
    found: `${count}`,
  }).issue;
}

/** Symbol types (`st…`) and storage classes (`sc…`). Source: the document above, and GNU BFD. */

/** Storage classes of symbols in a section of the object. Such a symbol's value is an address. */
const PLACED = numberedNames(`.*
  1: text data bss 13: sdata sbss rdata 22: init 24: xdata pdata fini rconst 30: tlsdata tlsbss
`);

/** Returns the name of a symbol type, for example `stProc`; null if it has none. */
export const symbolTypeName = lookupIn(
  numberedNames(`st*
  Nil Global Static Param Local Label Proc Block End Member Typedef File 14: StaticProc Constant
`),
);

/** Returns the name of a storage class, for example `scText`; null if it has none. */
export const storageClassName = lookupIn(
  numberedNames(`sc*
  Nil Text Data Bss Register Abs Undefined Unallocated Bits TlsUndefined 11: Info 13: SData SBss
  RData Var Common SCommon VarRegister Variant SUndefined Init 24: XData PData Fini RConst 29:
  TlsCommon TlsData TlsBss
`),
);

/** Returns the section of a storage class; null for undefined, common and absolute symbols. */
export const sectionOfClass = lookupIn(PLACED);

/** Numbers of `scTlsUndefined`, `scTlsCommon`, `scTlsData` and `scTlsBss`. */
const TLS_CLASSES: ReadonlySet<number> = new Set([9, 29, 30, 31]);

/** Returns true for the storage classes of symbols in thread-local storage. */
export function isTlsClass(sc: number): boolean {
  return TLS_CLASSES.has(sc);
}

/** `scCommon`, `scSCommon`, `scTlsCommon`. */
const COMMON_CLASSES: ReadonlySet<number> = new Set([17, 18, 29]);

/** Returns true for a common symbol: its value is its size, until the linker allocates it. */
export function isCommonClass(sc: number): boolean {
  return COMMON_CLASSES.has(sc);
}
