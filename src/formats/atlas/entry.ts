/**
 * Entries of an atlas: all that is known of one kind and name. What the kernels have under that
 * name are its variants, as lists of numbers, in which texts are numbers of strings:
 *
 * - struct, union: size; then for each member name, type, bits, bit offset
 * - enum: size, 1 for signed values; then for each enumerator name, low and high half of the value
 * - func: return type; then for each parameter name, type (both empty for `...`)
 * - typedef: type, size
 *
 * Sizes are in bytes, offsets in bits from the start of the struct.
 */

import { sha256 } from '@noble/hashes/sha2.js';
import { hexDigits } from '#bytes/text.ts';

/** The kinds of entries, by their numbers in the file. */
export const EntryKind = { struct: 0, union: 1, enum: 2, func: 3, typedef: 4 } as const;
export type EntryKindName = keyof typeof EntryKind;

/** What number `index` of a variant is: a text, a size or offset, which has up to 53 bits, or a word of 32 bits. */
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

/** The variants that a kernel has under one name, that of the lowest type id first. */
export type EntryRow = {
  /** Numbers of variants of the entry. */
  readonly variants: readonly number[];
  /** Numbers of the kernels that have these, ascending. */
  readonly kernels: readonly number[];
  /** Numbers of the modules, ascending. */
  readonly modules: readonly number[];
};

/** A row as it is written: kernels, and modules by numbers that follow those of the kernels; one list for one set. */
export type WrittenRow = {
  readonly variants: readonly number[];
  readonly holders: readonly number[];
};

export type Entry<Row = EntryRow> = {
  readonly kind: number;
  /** Number of a string, as all texts. */
  readonly name: number;
  readonly variants: readonly (readonly number[])[];
  /** No kernel or module is in two rows. */
  readonly rows: readonly Row[];
};

/** Bytes of an id of a layout. */
const ID_BYTES = 8;

/**
 * The id of a layout, 16 hex digits: the first 8 bytes of the SHA-256 of its size and members as
 * text, a member as name, bit offset, bits and type with tabs between, each behind a line end.
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
