/**
 * Names by id, so that each text is compared once. Id 0 is the empty name. The bytes of all names are
 * in one array, which a hash table finds: strings of JavaScript are only made for those asked for.
 */
import type { ByteReader } from '#bytes/byte-reader.ts';
import { byteText } from '#bytes/byte-text.ts';
import { decodeText } from '#bytes/text.ts';
import { stringEnd } from '#formats/dwarf/forms.ts';

/** Bytes that may be read, per byte of the file: in damaged files strings may overlap. */
const MAX_PER_BYTE = 64;
const MIN_BYTES = 16 << 20;
/** Largest section whose strings are known by their offsets: four bytes for each of its bytes. */
const MAX_INDEXED = 16 << 20;
/** Longest name that is read. Names of C++ templates have some tens of kilobytes. */
const MAX_NAME = 1 << 20;

export class NameTable {
  /** Bytes of all names, and where each begins; the last one is the end. */
  #bytes = new Uint8Array(1 << 16);
  #starts = new Uint32Array(1 << 12);
  #count = 1;
  /** Ids by hash: open addressing, in a table of a power of two that is at most half full. */
  #table = new Uint32Array(1 << 13);
  readonly #texts = new Map<number, string>();
  /** Ids plus 1 by the offset of a string, for each section. */
  readonly #indexes = new Map<ByteReader, Uint32Array>();
  #indexed: ByteReader | null = null;
  #index: Uint32Array | null = null;
  #bytesLeft: number;

  /** `fileBytes`: size of the file in bytes, which limits the work on names that overlap. */
  constructor(fileBytes: number) {
    this.#bytesLeft = MIN_BYTES + MAX_PER_BYTE * fileBytes;
  }

  /** Number of names. */
  get count(): number {
    return this.#count;
  }

  /** Returns the id of the string at `offset` of a section of strings. Throws `Malformed`. */
  idAt(section: ByteReader, offset: number): number {
    if (section !== this.#indexed) this.#choose(section);
    const index = this.#index;
    const known = index === null ? 0 : (index[offset] ?? 0);
    if (known !== 0) return known - 1;
    const id = this.idBetween(section, offset);
    if (index !== null) index[offset] = id + 1;
    return id;
  }

  /** Returns the id of the string at `offset`, which no other entry shares. Throws `Malformed`. */
  idBetween(section: ByteReader, offset: number): number {
    const { bytes } = section;
    let end = offset;
    let hash = 0;
    for (let byte = bytes[end] ?? 0; byte !== 0; byte = bytes[++end] ?? 0) {
      hash = (Math.imul(hash, 31) + byte) | 0;
      if (end - offset > MAX_NAME) break;
    }
    this.#spend(section, offset, end - offset);
    // A string without an end, or after the section, is an error of the reader of strings.
    if (end >= bytes.length || offset >= bytes.length) stringEnd(section, offset);
    return this.#idOf(bytes, offset, end, hash);
  }

  /** Returns the id of a name, given as bytes without a NUL. */
  idOf(bytes: Uint8Array): number {
    let hash = 0;
    for (const byte of bytes) hash = (Math.imul(hash, 31) + byte) | 0;
    return this.#idOf(bytes, 0, bytes.length, hash);
  }

  /** Returns the id of a name that has one character per byte. */
  idOfText(text: string): number {
    return this.idOf(Uint8Array.from(text, (character) => character.charCodeAt(0)));
  }

  bytesOf(id: number): Uint8Array {
    return this.#bytes.subarray(this.#starts[id] ?? 0, this.#starts[id + 1] ?? 0);
  }

  /** Returns the name with one character per byte, for comparisons. */
  text(id: number): string {
    const known = this.#texts.get(id);
    if (known !== undefined) return known;
    const text = byteText(this.bytesOf(id));
    this.#texts.set(id, text);
    return text;
  }

  /** Returns the name as a person reads it. */
  shown(id: number): string {
    return decodeText(this.bytesOf(id));
  }

  #choose(section: ByteReader): void {
    this.#indexed = section;
    this.#index = this.#indexes.get(section) ?? null;
    if (this.#index !== null || section.length > MAX_INDEXED) return;
    this.#index = new Uint32Array(section.length);
    this.#indexes.set(section, this.#index);
  }

  #spend(section: ByteReader, offset: number, length: number): void {
    this.#bytesLeft -= length;
    if (this.#bytesLeft >= 0 && length <= MAX_NAME) return;
    throw section.malformed('encode.names', `${section.region}: the names are too long`, {
      at: [offset, length],
      expected: `names of at most ${MAX_NAME} bytes, ${MAX_PER_BYTE} bytes for each byte of the file`,
      found: 'more',
    });
  }

  #idOf(from: Uint8Array, start: number, end: number, hash: number): number {
    const length = end - start;
    if (length === 0) return 0;
    const mask = this.#table.length - 1;
    const starts = this.#starts;
    let slot = Math.imul(hash, 0x9e3779b1) >>> 7;
    for (; ; slot++) {
      const id = this.#table[slot & mask] ?? 0;
      if (id === 0) break;
      const at = starts[id] ?? 0;
      if ((starts[id + 1] ?? 0) - at !== length) continue;
      let i = 0;
      while (i < length && this.#bytes[at + i] === from[start + i]) i++;
      if (i === length) return id;
    }
    const id = this.#append(from, start, length);
    this.#table[slot & mask] = id;
    if (this.#count * 2 > this.#table.length) this.#grow();
    return id;
  }

  #append(from: Uint8Array, start: number, length: number): number {
    const id = this.#count;
    const at = this.#starts[id] ?? 0;
    if (at + length > this.#bytes.length) {
      const bytes = new Uint8Array(Math.max(this.#bytes.length * 2, at + length));
      bytes.set(this.#bytes);
      this.#bytes = bytes;
    }
    if (id + 2 > this.#starts.length) {
      const starts = new Uint32Array(this.#starts.length * 2);
      starts.set(this.#starts);
      this.#starts = starts;
    }
    for (let i = 0; i < length; i++) this.#bytes[at + i] = from[start + i] ?? 0;
    this.#starts[id + 1] = at + length;
    this.#count += 1;
    return id;
  }

  #grow(): void {
    const table = new Uint32Array(this.#table.length * 2);
    const mask = table.length - 1;
    for (let id = 1; id < this.#count; id++) {
      let hash = 0;
      for (const byte of this.bytesOf(id)) hash = (Math.imul(hash, 31) + byte) | 0;
      let slot = Math.imul(hash, 0x9e3779b1) >>> 7;
      while ((table[slot & mask] ?? 0) !== 0) slot++;
      table[slot & mask] = id;
    }
    this.#table = table;
  }
}
