/** Names of tables as numbers, equal for equal names, so that kernels are compared without decoding strings. */
import { stringTable, type TypeTable } from './type-table.ts';

/** Number of the empty name. */
export const NO_NAME = 0;

/** A power of two. */
const FIRST_SLOTS = 1 << 10;

/** A hash table in columns: an object for each of a kernel's hundred thousand names would cost more than the hashing. */
export class NameIds {
  readonly #maxLength: number;
  /** Number of a name by hash; 0 = free. At least half of the slots are free. */
  #slots = new Uint32Array(FIRST_SLOTS);
  /** Columns by number: the hash of the name, one position of it (index in `#blobs`, first byte), and its length. */
  #hashes = new Uint32Array(FIRST_SLOTS >> 1);
  #blobOf = new Uint32Array(FIRST_SLOTS >> 1);
  #starts = new Uint32Array(FIRST_SLOTS >> 1);
  #lengths = new Uint32Array(FIRST_SLOTS >> 1);
  #count = 1;
  readonly #blobs: Uint8Array[] = [];

  /** Compares names by their first `maxLength` bytes: a hostile file may have a million names of a megabyte. */
  constructor(maxLength = Infinity) {
    this.#maxLength = maxLength;
  }

  /** Upper bound of all numbers, exclusive. */
  get count(): number {
    return this.#count;
  }

  /** Returns the number of the name at `nameOff` of the joined string sections of `t`; `NO_NAME` if there is none. */
  idOf(t: TypeTable, nameOff: number): number {
    const table = stringTable(t, nameOff);
    if (table === null) return NO_NAME;
    const { blob, strEnd } = table;
    const at = table.strStart + (nameOff - table.strBase);
    const limit = Math.min(strEnd, at + this.#maxLength);
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
    const knownBlob = this.#blobs[this.#blobOf[known] ?? 0] ?? blob;
    const from = this.#starts[known] ?? 0;
    if (knownBlob === blob && from === start) return true;
    for (let i = 0; i < length; i++) {
      if (knownBlob[from + i] !== blob[start + i]) return false;
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

  /** Nearly always the blob is the last: names are added table by table, and there are few tables. */
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
