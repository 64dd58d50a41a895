/** Removes the flavour (`___` and the rest) from a name: libbpf's `bpf_core_essential_name_len`. */
import { nameBytes } from '#model/names.ts';
import type { TypeTable } from '#model/type-table.ts';

export const UNDERSCORE = 0x5f;

/** Returns the length of the name without flavour; `codes` are bytes or UTF-16 units. */
export function essentialLength(codes: ArrayLike<number>, start: number, end: number): number {
  for (let at = end - 5; at >= start; at--) {
    if (isFlavourMark(codes, at)) return at - start + 1;
  }
  return end - start;
}

/** Returns `name` without its flavour: `task_struct` for `task_struct___old`. */
export function essentialName(name: string): string {
  const codes = Uint16Array.from({ length: name.length }, (_, i) => name.charCodeAt(i));
  return name.slice(0, essentialLength(codes, 0, codes.length));
}

/** Returns true if three underscores, enclosed by other characters, begin at `at` + 1. */
function isFlavourMark(codes: ArrayLike<number>, at: number): boolean {
  return (
    codes[at + 1] === UNDERSCORE &&
    codes[at + 2] === UNDERSCORE &&
    codes[at + 3] === UNDERSCORE &&
    codes[at + 4] !== UNDERSCORE &&
    codes[at] !== UNDERSCORE
  );
}

/** Returns the name without flavour, with one character per byte, for use as a map key. */
export function essentialKey(t: TypeTable, nameOff: number): string {
  const bytes = nameBytes(t, nameOff);
  const length = essentialLength(bytes, 0, bytes.length);
  let key = '';
  for (let i = 0; i < length; i++) key += String.fromCharCode(bytes[i] ?? 0);
  return key;
}

/** Returns true if two names are equal without their flavours. */
export function sameEssentialName(
  a: TypeTable,
  aNameOff: number,
  b: TypeTable,
  bNameOff: number,
): boolean {
  const aBytes = nameBytes(a, aNameOff);
  const bBytes = nameBytes(b, bNameOff);
  const length = essentialLength(aBytes, 0, aBytes.length);
  return (
    length === essentialLength(bBytes, 0, bBytes.length) && startsAlike(aBytes, bBytes, length)
  );
}

/** Returns true if the first `length` bytes of `a` and `b` are equal. */
export function startsAlike(a: Uint8Array, b: Uint8Array, length: number): boolean {
  for (let i = 0; i < length; i++) {
    if (a[i] !== b[i]) return false;
  }
  return true;
}
