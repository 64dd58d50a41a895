/** Numbers for names, so that names of several kernels are compared without decoding. */
import { stringTable, type TypeTable } from './type-table.ts';

/** Number of the empty name. */
export const NO_NAME = 0;

/** Initial number of hash table slots, a power of two. */
const FIRST_SLOTS = 1 << 10;

/** A hash table in typed arrays, because an object for each name of a kernel would be slow. */
export class NameIds {
  readonly #maxLength: number;
  /** Number of the name in each hash slot; 0 for a free slot. Half of the slots stay free. */
  #slots = new Uint32Array(FIRST_SLOTS);
  /** Columns with a row for each name: hash, `#blobs` index, first byte in the blob, length. */
  #hashes = new Uint32Array(FIRST_SLOTS >> 1);
  #blobOf = new Uint32Array(FIRST_SLOTS >> 1);
  #starts = new Uint32Array(FIRST_SLOTS >> 1);
  #lengths = new Uint32Array(FIRST_SLOTS >> 1);
  #count = 1;
  readonly #blobs: Uint8Array[] = [];

  /** Compares only `maxLength` bytes, because a hostile file may have a million long names. */
  constructor(maxLength = Infinity) {
    this.#maxLength = maxLength;
  }

  /** Upper limit: all numbers of names are less than `count`. */
  get count(): number {
    return this.#count;
  }

  /** Returns the number of the name at `nameOff` of the strings of `t`; `NO_NAME` for no name. */
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

  /** Tries the latest blob first, because names are added table by table. */
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
