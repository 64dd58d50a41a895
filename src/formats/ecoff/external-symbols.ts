/**
 * The external symbols (`EXTR`), which relocation entries with `r_extern` name
 * by their index.
 *
 * Source: Tru64 UNIX Object File and Symbol Table Format Specification, chapter
 * 5; layout as GNU BFD reads it. As columns: an archive's object may have many.
 */
import type { ByteReader } from '#bytes/byte-reader.ts';
import { type Issue, Malformed } from '#bytes/issue.ts';
import { decodeName } from '#bytes/text.ts';
import { wholeRecordsAt } from './regions.ts';
import type { SymbolicHeader } from './symbolic-header.ts';

export const EXTERNAL_SIZE = 24;

export type ExternalTable = {
  /** File offset of the first symbol. */
  readonly fileOffset: number;
  readonly count: number;
  readonly value: BigUint64Array;
  /** Offset of the name in the external strings. */
  readonly iss: Int32Array;
  /** Type, storage class, reserved bit and index, as they are packed. */
  readonly bits: Uint32Array;
  /** jmptbl, cobol_main and weakext, from bit 0 on. */
  readonly flags: Uint32Array;
  readonly ifd: Int32Array;
  /** The external strings; empty where the file does not hold them. */
  readonly strings: Uint8Array;
};

export type ExternalSymbol = {
  readonly name: string;
  /** An address; the size of a common symbol. */
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

/** Reads the external symbols. Those that the file does not hold become an issue; the others are read. */
export function readExternals(
  file: ByteReader,
  symbolic: SymbolicHeader,
  issues: Issue[],
): ExternalTable {
  const declared = symbolic.counts.iextMax;
  const offset = symbolic.places.cbExtOffset;
  const count = wholeRecordsAt(file, offset, BigInt(Math.max(0, declared)), EXTERNAL_SIZE);
  if (count !== declared) {
    issues.push(cutIssue(file, 'external symbols', offset, declared, count, EXTERNAL_SIZE));
  }
  const table: ExternalTable = {
    fileOffset: count > 0 ? Number(offset) : 0,
    count,
    value: new BigUint64Array(count),
    iss: new Int32Array(count),
    bits: new Uint32Array(count),
    flags: new Uint32Array(count),
    ifd: new Int32Array(count),
    strings: readStrings(file, symbolic, issues),
  };
  const r = file.slice(table.fileOffset, count * EXTERNAL_SIZE, 'external symbols');
  for (let i = 0; i < count; i++) {
    const at = i * EXTERNAL_SIZE;
    table.value[i] = r.u64(at);
    table.iss[i] = r.i32(at + 8);
    table.bits[i] = r.u32(at + 12);
    table.flags[i] = r.u32(at + 16);
    table.ifd[i] = r.i32(at + 20);
  }
  return table;
}

/** The symbol `index`; null where there is none. */
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
  const declared = symbolic.counts.issExtMax;
  const offset = symbolic.places.cbSsExtOffset;
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
  return new Malformed({
    code: 'ecoff.symbols-cut',
    region,
    message: `The file does not hold all of its ${region}`,
    span: file.span(start, file.length - start),
    expected: `${declared} at offset ${offset}`,
    found: `${count}`,
  }).issue;
}
