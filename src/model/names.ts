/** Names as bytes, which CO-RE compares: decoding could make different bytes equal. */
import { decodeText } from '#bytes/text.ts';
import { stringAt, stringTable, type TypeTable } from './type-table.ts';

const NO_BYTES = new Uint8Array(0);

/** Position of a name in a blob: `start` to `end` (exclusive), without its NUL. */
export type NamePlace = {
  readonly bytes: Uint8Array;
  readonly start: number;
  readonly end: number;
};

/** Returns the position of the string at `nameOff` of the joined sections, at most `maxBytes` of it; empty outside. */
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

/** Returns the bytes of the string at `nameOff`, without its NUL, as a view. */
export function nameBytes(t: TypeTable, nameOff: number): Uint8Array {
  const { bytes, start, end } = namePlace(t, nameOff);
  return bytes.subarray(start, end);
}

/** Returns the string at `nameOff` if it is shorter than `maxBytes`; empty if it is longer or missing. */
export function shortName(t: TypeTable, nameOff: number, maxBytes: number): string {
  const table = nameOff === 0 ? null : stringTable(t, nameOff);
  if (table === null) return '';
  const start = table.strStart + (nameOff - table.strBase);
  const bytes = table.blob.subarray(start, Math.min(table.strEnd, start + maxBytes));
  const end = bytes.indexOf(0);
  return end < 0 ? '' : decodeText(bytes.subarray(0, end));
}

/** True if the string at `nameOff` is empty, as for an anonymous type or member. */
export function isNameless(t: TypeTable, nameOff: number): boolean {
  if (nameOff === 0) return true;
  const table = stringTable(t, nameOff);
  if (table === null) return true;
  const start = table.strStart + (nameOff - table.strBase);
  return start >= table.strEnd || table.blob[start] === 0;
}

/** Returns a function that compares the string of `t` at an offset with `name`, for scans over members. */
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

/** As `wholeNameTest`, for a displayed name. Caches the last match, which may be megabytes long. */
export function nameMatcher(t: TypeTable, name: string): (nameOff: number) => boolean {
  if (name.includes('\\x')) return (nameOff) => nameOff !== 0 && stringAt(t, nameOff) === name;
  const isWhole = wholeNameTest(t, new TextEncoder().encode(name));
  let match = name === '' ? 0 : -1;
  return (nameOff) => {
    if (nameOff === match) return true;
    // An empty name may have other offsets too, and one of those may be `match`.
    if (nameOff === 0) return name === '';
    if (!isWhole(nameOff)) return false;
    match = nameOff;
    return true;
  };
}
