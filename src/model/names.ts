/** Names as bytes. CO-RE compares bytes; after decoding, different names could be equal. */
import { decodeText } from '#bytes/text.ts';
import { stringAt, stringTable, type TypeTable } from './type-table.ts';

const NO_BYTES = new Uint8Array(0);

/** Position of a name in a blob: `start` to `end` (exclusive), without NUL. */
export type NamePlace = {
  readonly bytes: Uint8Array;
  readonly start: number;
  readonly end: number;
};

/** Returns the position of up to `maxBytes` of the name at `nameOff`; empty for a bad offset. */
export function namePlace(t: TypeTable, nameOff: number, maxBytes = Infinity): NamePlace {
  const table = stringTable(t, nameOff);
  if (table === null) return { bytes: NO_BYTES, start: 0, end: 0 };
  const { blob, strEnd } = table;
  const start = Math.min(table.strStart + (nameOff - table.strBase), strEnd);
  const last = Math.min(strEnd, start + maxBytes);
  let end = start;
  while (end < last && blob[end] !== 0) end++;
  return { bytes: blob, start, end };
}

/** Returns a view of the name at `nameOff` without NUL. */
export function nameBytes(t: TypeTable, nameOff: number): Uint8Array {
  const { bytes, start, end } = namePlace(t, nameOff);
  return bytes.subarray(start, end);
}

/** Returns the name at `nameOff` if it is shorter than `maxBytes`; else an empty text. */
export function shortName(t: TypeTable, nameOff: number, maxBytes: number): string {
  const table = nameOff === 0 ? null : stringTable(t, nameOff);
  if (table === null) return '';
  const start = table.strStart + (nameOff - table.strBase);
  const bytes = table.blob.subarray(start, Math.min(table.strEnd, start + maxBytes));
  const end = bytes.indexOf(0);
  return end < 0 ? '' : decodeText(bytes.subarray(0, end));
}

/** Returns true if the name at `nameOff` is empty, as in an anonymous type or member. */
export function isNameless(t: TypeTable, nameOff: number): boolean {
  if (nameOff === 0) return true;
  const table = stringTable(t, nameOff);
  if (table === null) return true;
  const start = table.strStart + (nameOff - table.strBase);
  return start >= table.strEnd || table.blob[start] === 0;
}

/** Returns a function that compares `name` with the name at an offset of `t`, for many offsets. */
export function wholeNameTest(t: TypeTable, name: Uint8Array): (nameOff: number) => boolean {
  return (nameOff) => {
    const table = stringTable(t, nameOff);
    if (table === null) return name.length === 0;
    const { blob, strEnd } = table;
    const start = table.strStart + (nameOff - table.strBase);
    const end = start + name.length;
    if (start >= strEnd) return name.length === 0;
    if (end > strEnd || (end < strEnd && blob[end] !== 0)) return false;
    for (let i = 0; i < name.length; i++) {
      if (blob[start + i] !== name[i]) return false;
    }
    return true;
  };
}

/** Does the same as `wholeNameTest` for a decoded name. Caches the offset that matched last. */
export function nameMatcher(t: TypeTable, name: string): (nameOff: number) => boolean {
  if (name.includes('\\x')) return (nameOff) => nameOff !== 0 && stringAt(t, nameOff) === name;
  const isWhole = wholeNameTest(t, new TextEncoder().encode(name));
  let match = name === '' ? 0 : -1;
  return (nameOff) => {
    if (nameOff === match) return true;
    // `match` may be another offset of an empty name, so offset 0 has a check of its own.
    if (nameOff === 0) return name === '';
    if (!isWhole(nameOff)) return false;
    match = nameOff;
    return true;
  };
}
