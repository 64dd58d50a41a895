/**
 * Names of types, members and enumerators as the bytes they are, in the string
 * section of a blob or of its base. CO-RE compares names of two blobs, and bytes
 * that are no text must not become equal by being made readable.
 */
import { decodeText } from '#bytes/text.ts';
import { stringAt, stringTable, type TypeTable } from './type-table.ts';

const NOTHING = new Uint8Array(0);

/** Where a name lies in a blob: `start` to `end` (exclusive), without its NUL. */
export type NamePlace = {
  readonly bytes: Uint8Array;
  readonly start: number;
  readonly end: number;
};

/** The place of the string at `nameOff` of the joined string sections, up to `maxBytes` of it; an empty one outside. */
export function namePlace(t: TypeTable, nameOff: number, maxBytes = Infinity): NamePlace {
  const table = stringTable(t, nameOff);
  if (table === null) return { bytes: NOTHING, start: 0, end: 0 };
  const { blob, strEnd } = table;
  const start = Math.min(table.strStart + (nameOff - table.strBase), strEnd);
  const last = Math.min(strEnd, start + maxBytes);
  let end = start;
  while (end < last && blob[end] !== 0) end++;
  return { bytes: blob, start, end };
}

/** The bytes of the string at `nameOff`, without its NUL. A view. */
export function nameBytes(t: TypeTable, nameOff: number): Uint8Array {
  const { bytes, start, end } = namePlace(t, nameOff);
  return bytes.subarray(start, end);
}

/** The string at `nameOff` where it is shorter than `maxBytes`; empty where it is longer or not there. */
export function shortName(t: TypeTable, nameOff: number, maxBytes: number): string {
  const table = nameOff === 0 ? null : stringTable(t, nameOff);
  if (table === null) return '';
  const start = table.strStart + (nameOff - table.strBase);
  const bytes = table.blob.subarray(start, Math.min(table.strEnd, start + maxBytes));
  const end = bytes.indexOf(0);
  return end < 0 ? '' : decodeText(bytes.subarray(0, end));
}

/** Is the string at `nameOff` empty, as that of an anonymous type or member? */
export function isNameless(t: TypeTable, nameOff: number): boolean {
  if (nameOff === 0) return true;
  const table = stringTable(t, nameOff);
  if (table === null) return true;
  const start = table.strStart + (nameOff - table.strBase);
  return start >= table.strEnd || table.blob[start] === 0;
}

/** A test for "the string of `t` at this offset is exactly `name`"; made for scans over members. */
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

/**
 * As `wholeNameTest`, for a name as it is shown: one that is no UTF-8 is compared as
 * text. It keeps the offset that matched last: types share their names' offsets,
 * and a name may be megabytes long.
 */
export function nameMatcher(t: TypeTable, name: string): (nameOff: number) => boolean {
  if (name.includes('\\x')) return (nameOff) => nameOff !== 0 && stringAt(t, nameOff) === name;
  const isWhole = wholeNameTest(t, new TextEncoder().encode(name));
  let match = name === '' ? 0 : -1;
  return (nameOff) => {
    if (nameOff === match) return true;
    // An empty name may stand at other offsets too, and one of those be the match.
    if (nameOff === 0) return name === '';
    if (!isWhole(nameOff)) return false;
    match = nameOff;
    return true;
  };
}

/**
 * Names of tables as numbers: equal names get equal numbers, whatever file
 * they stand in, so that whole kernels are compared without decoding a string.
 */

/** Of the empty name. */
export const NO_NAME = 0;

/** A power of two. */
const FIRST_SLOTS = 1 << 10;

/**
 * A hash table in columns: a kernel has a hundred thousand names, and an object for each would cost
 * more than hashing it.
 */
export class NameIds {
  readonly #longest: number;
  /** Where hashes lead: the number of a name; 0 = free. At least half of them are. */
  #slots = new Uint32Array(FIRST_SLOTS);
  /** By number: the name's hash, one place where it stands (index in `#blobs`, first byte), and its length. */
  #hashes = new Uint32Array(FIRST_SLOTS >> 1);
  #blobOf = new Uint32Array(FIRST_SLOTS >> 1);
  #starts = new Uint32Array(FIRST_SLOTS >> 1);
  #lengths = new Uint32Array(FIRST_SLOTS >> 1);
  #count = 1;
  readonly #blobs: Uint8Array[] = [];

  /** Names are compared by their first `longest` bytes: a hostile file may have a megabyte for each of a million. */
  constructor(longest = Infinity) {
    this.#longest = longest;
  }

  /** The number of the name at `nameOff` of the joined string sections of `t`; `NO_NAME` where there is none. */
  idOf(t: TypeTable, nameOff: number): number {
    const table = stringTable(t, nameOff);
    if (table === null) return NO_NAME;
    const { blob, strEnd } = table;
    const at = table.strStart + (nameOff - table.strBase);
    const limit = Math.min(strEnd, at + this.#longest);
    let hash = 0x811c9dc5;
    let end = at;
    for (; end < limit; end++) {
      const byte = blob[end] ?? 0;
      if (byte === 0) break;
      hash = Math.imul(hash ^ byte, 0x01000193);
    }
    if (end <= at) return NO_NAME;
    return this.#numberOf(blob, at, end - at, (hash ^ (hash >>> 15)) >>> 0);
  }

  #numberOf(blob: Uint8Array, start: number, length: number, hash: number): number {
    const slots = this.#slots;
    const mask = slots.length - 1;
    for (let slot = hash & mask; ; slot = (slot + 1) & mask) {
      const known = slots[slot] ?? 0;
      if (known === 0) {
        slots[slot] = this.#count;
        return this.#add(blob, start, length, hash);
      }
      if (this.#hashes[known] === hash && this.#isAt(known, blob, start, length)) return known;
    }
  }

  #isAt(known: number, blob: Uint8Array, start: number, length: number): boolean {
    if (this.#lengths[known] !== length) return false;
    const other = this.#blobs[this.#blobOf[known] ?? 0] ?? blob;
    const from = this.#starts[known] ?? 0;
    if (other === blob && from === start) return true;
    for (let i = 0; i < length; i++) {
      if (other[from + i] !== blob[start + i]) return false;
    }
    return true;
  }

  #add(blob: Uint8Array, start: number, length: number, hash: number): number {
    const number = this.#count++;
    this.#hashes[number] = hash;
    this.#blobOf[number] = this.#indexOf(blob);
    this.#starts[number] = start;
    this.#lengths[number] = length;
    if (this.#count === this.#hashes.length) this.#grow();
    return number;
  }

  /** Names come table by table, and tables are few: nearly always the blob is the last. */
  #indexOf(blob: Uint8Array): number {
    const known = this.#blobs.lastIndexOf(blob);
    return known < 0 ? this.#blobs.push(blob) - 1 : known;
  }

  #grow(): void {
    this.#hashes = doubled(this.#hashes);
    this.#blobOf = doubled(this.#blobOf);
    this.#starts = doubled(this.#starts);
    this.#lengths = doubled(this.#lengths);
    const slots = new Uint32Array(2 * this.#slots.length);
    const mask = slots.length - 1;
    for (let number = 1; number < this.#count; number++) {
      let slot = (this.#hashes[number] ?? 0) & mask;
      while (slots[slot] !== 0) slot = (slot + 1) & mask;
      slots[slot] = number;
    }
    this.#slots = slots;
  }
}

function doubled(column: Uint32Array): Uint32Array<ArrayBuffer> {
  const longer = new Uint32Array(2 * column.length);
  longer.set(column);
  return longer;
}
