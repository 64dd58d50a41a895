/**
 * The block of a kernel: what makes its BTF again out of records, byte for byte. First a number that
 * says which form the block has:
 *
 * 0: the bytes of the BTF follow as they are.
 * 1: header of the BTF; types; strings; exceptions.
 *
 * Kernels of one build have most records in the same order, so that a list of records is written as
 * how it follows the list of another kernel.
 */
import { VarintReader, VarintWriter } from './varints.ts';

const BLOCK_BYTES = 0;
const BLOCK_RECORDS = 1;

/** A reference to a type that is not the first of its kind and name, or of its record. */
export type Exception = {
  /** Number of the record from 0, of the word in it, and of the type. */
  readonly row: number;
  readonly word: number;
  readonly target: number;
};

/** The types and strings of a kernel. */
export type KernelBlock = {
  /** The header of the BTF as it is. */
  readonly header: Uint8Array;
  /** Number of the record of each type. */
  readonly records: Int32Array;
  /**
   * The strings behind the empty one in their order: numbers from 0 in the order in which the
   * records first name them; below 0 those that no record names, -1 for the first of `unnamed`.
   */
  readonly strings: Int32Array;
  readonly unnamed: readonly Uint8Array[];
  readonly exceptions: readonly Exception[];
};

/** Where each record is in a list: its first place + 1, 0 where it is not. */
function placesOf(list: Int32Array, records: number): Int32Array {
  const places = new Int32Array(records);
  for (let i = list.length - 1; i >= 0; i--) places[list[i] ?? 0] = i + 1;
  return places;
}

/**
 * Numbers that mostly follow each other by 1: pairs of how many do, and how far the next one is from
 * where it would be. Says how many there are.
 */
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

/**
 * The list as numbers that follow each other by 1 where it follows `base`: a place in the base, or
 * behind its end the record itself.
 */
function followed(list: Int32Array, base: Int32Array, records: number): Int32Array {
  const places = placesOf(base, records);
  return list.map((record) => {
    const place = places[record] ?? 0;
    return place > 0 ? place - 1 : base.length + record;
  });
}

/** Types of a kernel are no more than this, so that a few bytes do not fill the memory: hardly a record comes twice. */
export function mostTypes(records: number): number {
  return 2 * records + 1024;
}

/** As `mostTypes`, of the words of all records of a kernel. */
export function mostWords(words: number): number {
  return 2 * words + 65_536;
}

/** How many records do not follow the one before as in `base`: what a list costs. */
export function breaksBetween(list: Int32Array, base: Int32Array, records: number): number {
  let breaks = 0;
  let next = 0;
  for (const place of followed(list, base, records)) {
    if (place !== next) breaks++;
    next = place + 1;
  }
  return breaks;
}

/** Writes a block; `base` is the list of the kernel that it is compared with, `records` the number of records so far. */
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

/** The block of a kernel that was kept as it is. */
export function writeBytesBlock(btf: Uint8Array): Uint8Array<ArrayBuffer> {
  const out = new VarintWriter();
  out.uint(BLOCK_BYTES);
  out.bytes(btf);
  return out.finish();
}

/**
 * Reads a block; the BTF itself where that was kept. `base` is the list of the kernel that it is
 * compared with, `has` the number of records and names of the atlas. Throws `Malformed`.
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
  const records = readRuns(from, mostTypes(has.records), 'a type').map((place) =>
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
