/**
 * The block of a kernel, which with the records rebuilds its BTF byte for byte. It begins with the
 * number of its form:
 *
 * 0: the bytes of the BTF follow.
 * 1: header of the BTF; types; strings; exceptions.
 *
 * Kernels of one build have most records in the same order, so a list of records is written as
 * its differences to the list of another kernel.
 */
import { VarintReader, VarintWriter } from './varints.ts';

const BLOCK_BYTES = 0;
const BLOCK_RECORDS = 1;

/** A reference to a type that is not the first of its kind and name, or of its record. */
export type Exception = {
  /** Number of the record, of the word in it, and of the type, each from 0. */
  readonly row: number;
  readonly word: number;
  readonly target: number;
};

export type KernelBlock = {
  readonly header: Uint8Array;
  /** Number of the record of each type. */
  readonly records: Int32Array;
  /**
   * Strings after the empty string, in order: the number of a string by first use in records, or a
   * negative number for an unused string, -1 for the first of `unnamed`.
   */
  readonly strings: Int32Array;
  readonly unnamed: readonly Uint8Array[];
  readonly exceptions: readonly Exception[];
};

/** Returns the first position + 1 of each record in a list; 0 if it is not in the list. */
function placesOf(list: Int32Array, records: number): Int32Array {
  const places = new Int32Array(records);
  for (let i = list.length - 1; i >= 0; i--) places[list[i] ?? 0] = i + 1;
  return places;
}

/** Writes the length of a list that mostly ascends by 1, then runs: their length, and the step to the next number. */
function writeRuns(out: VarintWriter, list: Int32Array): void {
  out.uint(list.length);
  let next = 0;
  for (let i = 0; i < list.length; ) {
    let run = 0;
    while (i + run < list.length && list[i + run] === next + run) run++;
    out.uint(run);
    i += run;
    next += run;
    if (i === list.length) break;
    const value = list[i++] ?? 0;
    out.sint(value - next);
    next = value + 1;
  }
}

function readRuns(from: VarintReader, most: number, what: string): Int32Array<ArrayBuffer> {
  const length = from.below(most + 1, what);
  const list = new Int32Array(length);
  let next = 0;
  for (let i = 0; i < length; ) {
    const run = from.below(length - i + 1, what);
    for (let end = i + run; i < end; i++) list[i] = next++;
    if (i === length) break;
    const value = next + from.sint(what);
    if (!(Math.abs(value) <= 0x7fffffff)) throw from.malformed(`${what} is wrong`);
    list[i++] = value;
    next = value + 1;
  }
  return list;
}

/** Returns positions in `base`, or `base.length` + the record: numbers that ascend by 1 where the lists agree. */
function followed(list: Int32Array, base: Int32Array, records: number): Int32Array {
  const places = placesOf(base, records);
  return list.map((record) => {
    const place = places[record] ?? 0;
    return place > 0 ? place - 1 : base.length + record;
  });
}

/** Returns the limit of types of a kernel, so that a few bytes cannot fill the memory: few records occur twice. */
export function maxTypes(records: number): number {
  return 2 * records + 1024;
}

/** Returns the limit of words in all records of a kernel, for the same reason. */
export function maxWords(words: number): number {
  return 2 * words + 65_536;
}

/** Returns the number of records that do not follow their predecessor as in `base`: the size of the written list. */
export function breaksBetween(list: Int32Array, base: Int32Array, records: number): number {
  let breaks = 0;
  let next = 0;
  for (const place of followed(list, base, records)) {
    if (place !== next) breaks++;
    next = place + 1;
  }
  return breaks;
}

/** Writes a block. `base` is the list of records of the kernel to compare with, `records` their number so far. */
export function writeKernelBlock(
  { header, records: list, strings, unnamed, exceptions }: KernelBlock,
  base: Int32Array,
  records: number,
): Uint8Array<ArrayBuffer> {
  const out = new VarintWriter();
  out.uint(BLOCK_RECORDS);
  out.counted(header);
  writeRuns(out, followed(list, base, records));
  writeRuns(out, strings);
  out.uint(unnamed.length);
  for (const name of unnamed) out.counted(name);
  out.uint(exceptions.length);
  let last = 0;
  for (const { row, word, target } of exceptions) {
    out.uint(row - last);
    out.uint(word);
    out.uint(target);
    last = row;
  }
  return out.finish();
}

/** Writes the block of a kernel with its BTF as stored. */
export function writeBytesBlock(btf: Uint8Array): Uint8Array<ArrayBuffer> {
  const out = new VarintWriter();
  out.uint(BLOCK_BYTES);
  out.bytes(btf);
  return out.finish();
}

/**
 * Reads a block, or returns the BTF that it stores. `base` is the list of records to compare with,
 * `has` the number of records and names of the atlas. Throws `Malformed`.
 */
export function readKernelBlock(
  bytes: Uint8Array,
  has: { readonly records: number; readonly names: number },
  base: Int32Array,
  region: string,
): KernelBlock | Uint8Array {
  const from = new VarintReader(bytes, region);
  const form = from.below(2, 'the form of the block');
  if (form === BLOCK_BYTES) return from.bytes(from.left, 'the BTF');
  const header = from.counted('the header');
  const records = readRuns(from, maxTypes(has.records), 'a type').map((place) =>
    place < base.length ? (base[place] ?? -1) : place - base.length,
  );
  const strings = readRuns(from, has.names + bytes.length, 'a string');
  const unnamed = Array.from({ length: from.count('the number of strings') }, () =>
    from.counted('a string'),
  );
  let row = 0;
  const exceptions = Array.from({ length: from.count('the number of exceptions', 3) }, () => {
    row += from.uint('a type');
    return { row, word: from.uint('a word'), target: from.below(records.length, 'a type') };
  });
  return { header, records, strings, unnamed, exceptions };
}
