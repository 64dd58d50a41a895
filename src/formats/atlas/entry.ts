/**
 * Entries of an atlas. An entry has all definitions of one kind under one name. Each different
 * definition is a variant: a list of numbers, in which a text is the number of a string:
 * - struct, union: size; then name, type, bits and bit offset of each member
 * - enum: size, 1 for signed values; then name, low and high half of the value of each enumerator
 * - func: return type; then name and type of each parameter (both empty for `...`)
 * - typedef: type, size
 *
 * Sizes are in bytes, offsets in bits from the start of the struct.
 */
import { sha256 } from '@noble/hashes/sha2.js';
import { hexDigits } from '#bytes/text.ts';
import type { VarintReader, VarintWriter } from './varints.ts';

/** Kinds of entries, with their numbers in the file. */
export const EntryKind = { struct: 0, union: 1, enum: 2, func: 3, typedef: 4 } as const;
export type EntryKindName = keyof typeof EntryKind;

/** Returns what number `index` of a variant contains. A `size` can be an offset as well. */
export function numberRole(kind: number, index: number): 'text' | 'size' | 'word' {
  switch (kind) {
    case EntryKind.func:
      return 'text';
    case EntryKind.typedef:
      return index === 0 ? 'text' : 'size';
    case EntryKind.enum:
      if (index < 2) return index === 0 ? 'size' : 'word';
      return index % 3 === 2 ? 'text' : 'word';
    default:
      return index % 4 === 1 || index % 4 === 2 ? 'text' : 'size';
  }
}

/** Kernels and modules that have the same variants of a name. Variants are in type id order. */
export type EntryRow = {
  readonly variants: readonly number[];
  readonly kernels: readonly number[];
  /** Numbers of the modules, ascending. */
  readonly modules: readonly number[];
};

/** A row as it is written: `holders` lists kernels, then modules. Equal lists share an array. */
export type WrittenRow = {
  readonly variants: readonly number[];
  readonly holders: readonly number[];
};

export type Entry<Row = EntryRow> = {
  readonly kind: number;
  /** Number of the string that is the name. */
  readonly name: number;
  readonly variants: readonly (readonly number[])[];
  /** Rows. Each kernel or module is in at most one row. */
  readonly rows: readonly Row[];
};

/** Size of a layout id in bytes. */
const ID_BYTES = 8;

/**
 * Returns the id of a layout, 16 hex digits: the first 8 bytes of the SHA-256 of its size and
 * members as text. A member is a line end, then name, bit offset, bits and type with tabs between.
 */
export function layoutId(
  size: number,
  members: readonly {
    readonly name: string;
    readonly type: string;
    readonly bits: number;
    readonly bitOffset: number;
  }[],
): string {
  const lines = members.map(
    ({ name, type, bits, bitOffset }) => `\n${name}\t${bitOffset}\t${bits}\t${type}`,
  );
  const text = new TextEncoder().encode(`${size}${lines.join('')}`);
  return hexDigits(sha256(text).subarray(0, ID_BYTES));
}

/** How writer and reader encode the numbers in entries, so that most of them become 0. */

/** Guesses a member's offset: that in an earlier variant, shifted like the member before it. */
export class OffsetGuess {
  readonly #last = new Map<number, number>();
  #moved = 0;
  #end = 0;

  begin(): void {
    this.#moved = 0;
    this.#end = 0;
  }

  guess(member: number): number {
    const last = this.#last.get(member);
    return last === undefined ? this.#end : last + this.#moved;
  }

  add(member: number, offset: number, bits: number): void {
    const last = this.#last.get(member);
    if (last !== undefined) this.#moved = offset - last;
    this.#end = offset + bits;
    this.#last.set(member, offset);
  }
}

/** Encodes a bit count: whole bytes as an even number, other counts as an odd number. */
export function scaled(bits: number): number {
  return bits % 8 === 0 ? bits / 4 : 2 * bits + 1;
}

export function unscaled(code: number): number {
  return code % 2 === 0 ? 4 * code : (code - 1) / 2;
}

/** Writes a set of kernel numbers below `count`, in ascending order. */
export function writeKernelSet(out: VarintWriter, kernels: readonly number[], count: number): void {
  const runs: number[] = [];
  let end = 0;
  for (let i = 0; i < kernels.length; ) {
    const start = kernels[i] ?? 0;
    let length = 1;
    while (kernels[i + length] === start + length) length++;
    runs.push(start - end, length);
    end = start + length;
    i += length;
  }
  const bytes = Math.ceil(count / 8);
  if (runs.length <= bytes) {
    out.uint(runs.length);
    for (const run of runs) out.uint(run);
    return;
  }
  // A list of runs has an even length, so the odd number 1 can mark a bitmap.
  out.uint(1);
  const bitmap = new Uint8Array(bytes);
  for (const kernel of kernels)
    bitmap[kernel >> 3] = (bitmap[kernel >> 3] ?? 0) | (1 << (kernel & 7));
  out.bytes(bitmap);
}

/** Reads a set of kernel numbers below `count`. Throws `Malformed` if the set is damaged. */
export function readKernelSet(from: VarintReader, count: number): number[] {
  const what = 'a set of kernels';
  const kernels: number[] = [];
  const runs = from.uint(what);
  if (runs === 1) {
    const bitmap = from.bytes(Math.ceil(count / 8), what);
    for (let i = 0; i < count; i++) if (((bitmap[i >> 3] ?? 0) >> (i & 7)) & 1) kernels.push(i);
    return kernels;
  }
  if (runs > 2 * count) throw from.malformed(`${what} has ${runs} runs`);
  let at = 0;
  for (let i = 0; i < runs; i += 2) {
    at += from.below(count - at, what);
    const end = at + from.below(count - at + 1, what);
    while (at < end) kernels.push(at++);
  }
  return kernels;
}
