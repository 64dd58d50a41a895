/**
 * The block of a kernel, to rebuild its BTF byte for byte with the blocks of records. It begins
 * with the number of its form:
 * - 0: the bytes of the BTF follow.
 * - 1: the header of the BTF, types, strings and exceptions follow.
 *
 * Kernels of one build have most records in the same order, so the list of records is written as
 * its differences to the list of another kernel.
 */
import { VarintReader, VarintWriter } from './varints.ts';

const BLOCK_BYTES = 0;
const BLOCK_RECORDS = 1;

/** A reference to a type that is not the first with its record, or with its kind and name. */
export type Exception = {
  /** Numbers of the record, its word, and the referenced type. All count from 0. */
  readonly row: number;
  readonly word: number;
  readonly target: number;
};

export type KernelBlock = {
  readonly header: Uint8Array;
  /** For each type of the kernel, the number of its record in the atlas. */
  readonly records: Int32Array;
  /**
   * Strings after the empty string, in the order of the BTF. A string that records use has a number
   * by first use. An unused string has a negative number: -1 for the first of `unnamed`.
   */
  readonly strings: Int32Array;
  readonly unnamed: readonly Uint8Array[];
  readonly exceptions: readonly Exception[];
};

/** Returns the first index of each record in `list`, plus 1; 0 if `list` does not contain it. */
function placesOf(list: Int32Array, records: number): Int32Array {
  const places = new Int32Array(records);
  for (let i = list.length - 1; i >= 0; i--) places[list[i] ?? 0] = i + 1;
  return places;
}

/** Writes the length, then for each run that ascends by 1 its length and the step to the next. */
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

/** Returns the index in `base` of each record; `base.length` plus its number if it is missing. */
function followed(list: Int32Array, base: Int32Array, records: number): Int32Array {
  const places = placesOf(base, records);
  return list.map((record) => {
    const place = places[record] ?? 0;
    return place > 0 ? place - 1 : base.length + record;
  });
}

/** Returns the most types that a kernel may have, so that a damaged file cannot fill the memory. */
export function maxTypes(records: number): number {
  return 2 * records + 1024;
}

/** Returns the largest number of words of a kernel, which limits the memory as `maxTypes` does. */
export function maxWords(words: number): number {
  return 2 * words + 65_536;
}

/** Returns how many records in `list` leave the order of `base`. Each makes the block larger. */
export function breaksBetween(list: Int32Array, base: Int32Array, records: number): number {
  let breaks = 0;
  let next = 0;
  for (const place of followed(list, base, records)) {
    if (place !== next) breaks++;
    next = place + 1;
  }
  return breaks;
}

/** Writes a block. `base` is the list of records to compare with; `records` counts all records. */
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

/** Writes the block of a kernel whose BTF is stored as bytes. */
export function writeBytesBlock(btf: Uint8Array): Uint8Array<ArrayBuffer> {
  const out = new VarintWriter();
  out.uint(BLOCK_BYTES);
  out.bytes(btf);
  return out.finish();
}

/**
 * Reads a block. Returns the BTF if the block stores it as bytes. `base` is the list of records to
 * compare with. `has` has the numbers of records and names in the atlas. Throws `Malformed`.
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
