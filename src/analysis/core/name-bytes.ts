/**
 * Names as the bytes they are. CO-RE compares names of two blobs, and bytes that
 * are no text must not become equal by being made readable.
 */
import type { TypeTable } from '#model/type-table.ts';
import { essentialLength } from './essential-name.ts';

const NOTHING = new Uint8Array(0);

/** The table whose own strings hold `nameOff`; null where no string section reaches. */
function stringOwner(t: TypeTable, nameOff: number): TypeTable | null {
  let table: TypeTable | null = t;
  while (table !== null && nameOff < table.strBase) table = table.base;
  return table;
}

/** Where a name lies in a blob: `start` to `end` (exclusive), without its NUL. */
export type NamePlace = {
  readonly bytes: Uint8Array;
  readonly start: number;
  readonly end: number;
};

/** The place of the string at `nameOff` of the joined string sections; an empty one outside. */
export function namePlace(t: TypeTable, nameOff: number): NamePlace {
  const owner = stringOwner(t, nameOff);
  if (owner === null) return { bytes: NOTHING, start: 0, end: 0 };
  const { blob, strEnd } = owner;
  const start = Math.min(owner.strStart + (nameOff - owner.strBase), strEnd);
  let end = start;
  while (end < strEnd && blob[end] !== 0) end++;
  return { bytes: blob, start, end };
}

/** The bytes of the string at `nameOff`, without its NUL. A view. */
export function nameBytes(t: TypeTable, nameOff: number): Uint8Array {
  const { bytes, start, end } = namePlace(t, nameOff);
  return bytes.subarray(start, end);
}

/** Is the string at `nameOff` empty, as that of an anonymous type or member? */
export function isNameless(t: TypeTable, nameOff: number): boolean {
  if (nameOff === 0) return true;
  const owner = stringOwner(t, nameOff);
  if (owner === null) return true;
  const start = owner.strStart + (nameOff - owner.strBase);
  return start >= owner.strEnd || owner.blob[start] === 0;
}

/** The essential part of the string as text of one character a byte: equal texts are equal bytes. */
export function essentialKey(t: TypeTable, nameOff: number): string {
  const bytes = nameBytes(t, nameOff);
  const length = essentialLength(bytes, 0, bytes.length);
  let key = '';
  for (let i = 0; i < length; i++) key += String.fromCharCode(bytes[i] ?? 0);
  return key;
}

/** Have both strings the same essential part? Two empty ones have. */
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

/** Are the first `length` bytes the same? Both must have them. */
export function startsAlike(a: Uint8Array, b: Uint8Array, length: number): boolean {
  for (let i = 0; i < length; i++) {
    if (a[i] !== b[i]) return false;
  }
  return true;
}

/** A test for "the string of `t` at this offset is exactly `name`"; made for scans over members. */
export function wholeNameTest(t: TypeTable, name: Uint8Array): (nameOff: number) => boolean {
  return (nameOff) => {
    const owner = stringOwner(t, nameOff);
    if (owner === null) return name.length === 0;
    const { blob, strEnd } = owner;
    const start = owner.strStart + (nameOff - owner.strBase);
    const end = start + name.length;
    if (start >= strEnd) return name.length === 0;
    if (end > strEnd || (end < strEnd && blob[end] !== 0)) return false;
    for (let i = 0; i < name.length; i++) {
      if (blob[start + i] !== name[i]) return false;
    }
    return true;
  };
}
