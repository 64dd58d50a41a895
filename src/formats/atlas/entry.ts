/**
 * Entries of an atlas: everything about one kind and name. The definitions of the kernels under
 * that name are its variants, as lists of numbers; a text is the number of a string:
 *
 * - struct, union: size; then name, type, bits and bit offset of each member
 * - enum: size, 1 for signed values; then name, low and high half of the value of each enumerator
 * - func: return type; then name and type of each parameter (both empty for `...`)
 * - typedef: type, size
 *
 * Sizes are in bytes, offsets in bits from the start of the struct.
 */

import { sha256 } from '@noble/hashes/sha2.js';
import { hexDigits } from '#bytes/text.ts';

/** The kinds of entries, by their numbers in the file. */
export const EntryKind = { struct: 0, union: 1, enum: 2, func: 3, typedef: 4 } as const;
export type EntryKindName = keyof typeof EntryKind;

/** Returns the role of number `index` of a variant: a text, a size or offset of up to 53 bits, or a 32-bit word. */
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

/** The variants of a kernel under one name, in the order of type ids. */
export type EntryRow = {
  /** Numbers of variants of the entry. */
  readonly variants: readonly number[];
  /** Numbers of the kernels with these variants, ascending. */
  readonly kernels: readonly number[];
  /** Numbers of the modules with these variants, ascending. */
  readonly modules: readonly number[];
};

/** A row as written: one list of kernels, then modules. Equal sets must be the same list. */
export type WrittenRow = {
  readonly variants: readonly number[];
  readonly holders: readonly number[];
};

export type Entry<Row = EntryRow> = {
  readonly kind: number;
  /** String number, as for all texts. */
  readonly name: number;
  readonly variants: readonly (readonly number[])[];
  /** No kernel or module is in two rows. */
  readonly rows: readonly Row[];
};

/** Size of a layout id in bytes. */
const ID_BYTES = 8;

/**
 * Returns the id of a layout, 16 hex digits: the first 8 bytes of the SHA-256 of its size and
 * members as text. A member is a line end, then name, bit offset, bits and type, separated by tabs.
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
