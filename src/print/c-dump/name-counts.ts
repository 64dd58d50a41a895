/**
 * Which names of a blob are the same, and how often each was given away.
 *
 * A C file has two sets of names, tags (`struct x`) and identifiers (typedefs,
 * enumerators); a name that comes a second time in its set gets a number.
 * Equality is that of the bytes: string sections need not hold a name only once,
 * and those of split BTF hold names of the base again.
 */
import type { TypeTable } from '#model/type-table.ts';
import { stringOwner } from '#print/byte-text.ts';

/** The two sets of names. */
export const TAGS = 0;
export const IDENTIFIERS = 1;
type NameSet = typeof TAGS | typeof IDENTIFIERS;

/** Enough for a kernel's. */
const FIRST_SLOTS = 1 << 17;
const FNV_OFFSET = 0x811c9dc5;
const FNV_PRIME = 0x01000193;

export class NameCounts {
  readonly #types: TypeTable;
  /** String offset of the first byte that is at hand: not 0 where a base is missing. */
  readonly #firstOff: number;
  /** Number of the name at a string offset, from `#firstOff` on; 0 = not asked for yet. */
  readonly #numberAt: Uint32Array;
  /** Hash table of name numbers, 0 = free; its length is a power of two, and at most half of it is taken. */
  #slots = new Uint32Array(FIRST_SLOTS);
  /** By name number: where it stood first, its hash, and how often each set has it. */
  #offsets = new Uint32Array(FIRST_SLOTS / 2);
  #hashes = new Uint32Array(FIRST_SLOTS / 2);
  #counts = [new Uint32Array(FIRST_SLOTS / 2), new Uint32Array(FIRST_SLOTS / 2)] as const;
  #length = 1;

  constructor(types: TypeTable) {
    this.#types = types;
    // As long as the string sections are in bytes; a base that is missing may be said to have 4 GB.
    let last = 0;
    let first = types.strBase;
    for (let t: TypeTable | null = types; t !== null; t = t.base) {
      last = Math.max(last, t.strBase + t.strEnd - t.strStart);
      first = Math.min(first, t.strBase);
    }
    this.#firstOff = first;
    this.#numberAt = new Uint32Array(last - first);
  }

  /** Counts the name at `nameOff` once more in `set` and gives the new count. */
  add(set: NameSet, nameOff: number): number {
    const counts = this.#counts[set];
    const number = this.#numberOf(nameOff);
    const count = (counts[number] ?? 0) + 1;
    counts[number] = count;
    return count;
  }

  #numberOf(nameOff: number): number {
    const at = nameOff - this.#firstOff;
    const known = this.#numberAt[at] ?? 0;
    if (known !== 0) return known;
    const number = this.#find(nameOff);
    // Offsets outside all strings are not kept: writing there does nothing.
    this.#numberAt[at] = number;
    return number;
  }

  /** By the bytes: the number that they have, or a new one. */
  #find(nameOff: number): number {
    const hash = this.#hashOf(nameOff);
    const mask = this.#slots.length - 1;
    for (let slot = hash & mask; ; slot = (slot + 1) & mask) {
      const number = this.#slots[slot] ?? 0;
      if (number === 0) return this.#append(nameOff, hash, slot);
      if (this.#hashes[number] === hash && this.#areEqual(this.#offsets[number] ?? 0, nameOff)) {
        return number;
      }
    }
  }

  #append(nameOff: number, hash: number, slot: number): number {
    const number = this.#length++;
    this.#slots[slot] = number;
    this.#offsets[number] = nameOff;
    this.#hashes[number] = hash;
    if (this.#length === this.#offsets.length) this.#grow();
    return number;
  }

  #grow(): void {
    const slots = new Uint32Array(2 * this.#slots.length);
    const mask = slots.length - 1;
    for (let number = 1; number < this.#length; number++) {
      let slot = (this.#hashes[number] ?? 0) & mask;
      while (slots[slot] !== 0) slot = (slot + 1) & mask;
      slots[slot] = number;
    }
    this.#slots = slots;
    this.#offsets = doubled(this.#offsets);
    this.#hashes = doubled(this.#hashes);
    this.#counts = [doubled(this.#counts[TAGS]), doubled(this.#counts[IDENTIFIERS])];
  }

  #hashOf(nameOff: number): number {
    const table = stringOwner(this.#types, nameOff);
    if (table === null) return 0;
    const { blob, strEnd } = table;
    let hash = FNV_OFFSET;
    for (let at = table.strStart + nameOff - table.strBase; at < strEnd; at++) {
      const byte = blob[at] ?? 0;
      if (byte === 0) break;
      hash = Math.imul(hash ^ byte, FNV_PRIME);
    }
    // Its low bits choose the slot, and a last byte alone hardly reaches the others.
    return (hash ^ (hash >>> 15)) & 0x3fffffff;
  }

  #areEqual(first: number, second: number): boolean {
    const a = stringOwner(this.#types, first);
    const b = stringOwner(this.#types, second);
    if (a === null || b === null) return a === b;
    const shift = b.strStart + second - b.strBase - (a.strStart + first - a.strBase);
    for (let at = a.strStart + first - a.strBase; ; at++) {
      const byte = at < a.strEnd ? (a.blob[at] ?? 0) : 0;
      if (byte !== (at + shift < b.strEnd ? (b.blob[at + shift] ?? 0) : 0)) return false;
      if (byte === 0) return true;
    }
  }
}

function doubled(column: Uint32Array): Uint32Array<ArrayBuffer> {
  const longer = new Uint32Array(2 * column.length);
  longer.set(column);
  return longer;
}
