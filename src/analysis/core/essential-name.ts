/**
 * The essential name: the name without its flavour, the part from the last `___` on.
 * `task_struct___v5` and `task_struct` are one name to CO-RE.
 *
 * Source: libbpf's bpf_core_essential_name_len (relo_core.c).
 */
import { nameBytes } from '#model/names.ts';
import type { TypeTable } from '#model/type-table.ts';

export const UNDERSCORE = 0x5f;

/**
 * Length of the essential part of the name at `start` to `end` (exclusive) of
 * `codes`: bytes, or UTF-16 codes, since only underscores count.
 */
export function essentialLength(codes: ArrayLike<number>, start: number, end: number): number {
  for (let at = end - 5; at >= start; at--) {
    if (isFlavourMark(codes, at)) return at - start + 1;
  }
  return end - start;
}

/** `name` without its flavour. */
export function essentialName(name: string): string {
  const codes = Uint16Array.from({ length: name.length }, (_, i) => name.charCodeAt(i));
  return name.slice(0, essentialLength(codes, 0, codes.length));
}

/** Exactly three underscores, between two other characters. */
function isFlavourMark(codes: ArrayLike<number>, at: number): boolean {
  return (
    codes[at + 1] === UNDERSCORE &&
    codes[at + 2] === UNDERSCORE &&
    codes[at + 3] === UNDERSCORE &&
    codes[at + 4] !== UNDERSCORE &&
    codes[at] !== UNDERSCORE
  );
}

/** The essential part of the string as text of one character a byte: equal texts are equal bytes. */
export function essentialKey(t: TypeTable, nameOff: number): string {
  const bytes = nameBytes(t, nameOff);
  const length = essentialLength(bytes, 0, bytes.length);
  let key = '';
  for (let i = 0; i < length; i++) key += String.fromCharCode(bytes[i] ?? 0);
  return key;
}

/** Returns whether both strings have the same essential part; two empty ones have. */
export function sameEssentialName(
  a: TypeTable,
  aNameOff: number,
  b: TypeTable,
  bNameOff: number,
): boolean {
  const name = nameBytes(a, aNameOff);
  const other = nameBytes(b, bNameOff);
  const length = essentialLength(name, 0, name.length);
  return length === essentialLength(other, 0, other.length) && startsAlike(name, other, length);
}

/** Returns whether the first `length` bytes are equal; both strings must be as long. */
export function startsAlike(a: Uint8Array, b: Uint8Array, length: number): boolean {
  for (let i = 0; i < length; i++) {
    if (a[i] !== b[i]) return false;
  }
  return true;
}
