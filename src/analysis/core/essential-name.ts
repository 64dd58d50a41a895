/** The name without its flavour from the last `___` on: libbpf's `bpf_core_essential_name_len`. */
import { nameBytes } from '#model/names.ts';
import type { TypeTable } from '#model/type-table.ts';

export const UNDERSCORE = 0x5f;

/** Returns the length of the essential part of `codes`, bytes or UTF-16, from `start` to `end`. */
export function essentialLength(codes: ArrayLike<number>, start: number, end: number): number {
  for (let at = end - 5; at >= start; at--) {
    if (isFlavourMark(codes, at)) return at - start + 1;
  }
  return end - start;
}

/** Returns `name` without its flavour. */
export function essentialName(name: string): string {
  const codes = Uint16Array.from({ length: name.length }, (_, i) => name.charCodeAt(i));
  return name.slice(0, essentialLength(codes, 0, codes.length));
}

/** Returns whether exactly three underscores follow `at`, between two other characters. */
function isFlavourMark(codes: ArrayLike<number>, at: number): boolean {
  return (
    codes[at + 1] === UNDERSCORE &&
    codes[at + 2] === UNDERSCORE &&
    codes[at + 3] === UNDERSCORE &&
    codes[at + 4] !== UNDERSCORE &&
    codes[at] !== UNDERSCORE
  );
}

/** Returns the essential part of a name with one character per byte: equal keys are equal bytes. */
export function essentialKey(t: TypeTable, nameOff: number): string {
  const bytes = nameBytes(t, nameOff);
  const length = essentialLength(bytes, 0, bytes.length);
  let key = '';
  for (let i = 0; i < length; i++) key += String.fromCharCode(bytes[i] ?? 0);
  return key;
}

/** Returns whether two names have the same essential part. */
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

/** Returns whether the first `length` bytes are equal. */
export function startsAlike(a: Uint8Array, b: Uint8Array, length: number): boolean {
  for (let i = 0; i < length; i++) {
    if (a[i] !== b[i]) return false;
  }
  return true;
}
