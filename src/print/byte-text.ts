/**
 * Collects text as bytes: names in BTF are arbitrary bytes, which tools like bpftool print
 * unchanged. Passes each full chunk to `sink`, which may use the chunk only until it returns.
 */
import { concatBytes } from '#bytes/arrays.ts';
import { stringTable, type TypeTable } from '#model/type-table.ts';

const CHUNK_LENGTH = 1 << 16;
const ZERO = 0x30;
/** Length of the longest number: the largest safe integer with a sign. */
const MAX_DIGITS = 17;
const BILLION = 1e9;
/** Texts of this length and more are encoded by TextEncoder, which is then faster than a loop. */
const MIN_ENCODED_LENGTH = 256;

const encoder = new TextEncoder();

/** Limit of text in bytes per byte of BTF. Kernels and programs need at most ten. */
const TEXT_PER_BYTE = 64;
const SMALL_TEXT = 1 << 23;

/** Returns the limit in bytes for the text of all types: 8 MiB plus 64 bytes per byte of BTF. */
export function longestText(t: TypeTable): number {
  let blobs = 0;
  for (let at: TypeTable | null = t; at !== null; at = at.base) blobs += at.blob.length;
  return SMALL_TEXT + TEXT_PER_BYTE * blobs;
}

export class ByteText {
  readonly #sink: (chunk: Uint8Array<ArrayBuffer>) => void;
  // Current chunk. The field is readonly so that V8 treats it as a constant.
  readonly #chunk: Uint8Array<ArrayBuffer>;
  readonly #view: DataView;
  #length = 0;
  #flushed = 0;

  /** Creates a text. `chunkLength` is in bytes; each `Piece` must fit in a chunk. */
  constructor(sink: (chunk: Uint8Array<ArrayBuffer>) => void, chunkLength = CHUNK_LENGTH) {
    this.#sink = sink;
    this.#chunk = new Uint8Array(chunkLength);
    this.#view = new DataView(this.#chunk.buffer);
  }

  /** Number of bytes written so far. */
  get length(): number {
    return this.#flushed + this.#length;
  }

  /** Writes characters up to U+00FF, each as one byte. */
  latin1(text: string): this {
    for (let start = 0; start < text.length; ) {
      this.#room(Math.min(text.length - start, this.#chunk.length));
      const end = Math.min(text.length, start + this.#chunk.length - this.#length);
      if (end - start < MIN_ENCODED_LENGTH || !this.#ascii(text.slice(start, end))) {
        for (let at = start; at < end; at++) this.#chunk[this.#length++] = text.charCodeAt(at);
      }
      start = end;
    }
    return this;
  }

  /** Writes an ASCII text that fits in the chunk. Returns false if the text is not ASCII. */
  #ascii(text: string): boolean {
    const { read, written } = encoder.encodeInto(text, this.#chunk.subarray(this.#length));
    // A character outside of ASCII needs more than one byte in UTF-8.
    if (read !== text.length || written !== read) return false;
    this.#length += written;
    return true;
  }

  byte(value: number): this {
    this.#room(1);
    this.#chunk[this.#length++] = value;
    return this;
  }

  /** Writes a piece that `pieceOf` has prepared. */
  piece(piece: Piece): this {
    const { words, length } = piece;
    this.#room(length + 4);
    const view = this.#view;
    let at = this.#length;
    for (let i = 0; i < words.length; i++, at += 4) view.setUint32(at, words[i] ?? 0, true);
    this.#length += length;
    return this;
  }

  /** Writes the bytes `start` to `end` (exclusive) of `blob`; the range is clipped to `blob`. */
  bytes(blob: Uint8Array, start: number, end: number): this {
    const stop = Math.min(end, blob.length);
    for (let at = start; at < stop; ) {
      this.#room(1);
      const part = Math.min(stop, at + this.#chunk.length - this.#length);
      while (at < part) this.#chunk[this.#length++] = blob[at++] ?? 0;
    }
    return this;
  }

  /** Writes an integer between -(2^53 - 1) and 2^53 - 1 in decimal. */
  decimal(value: number): this {
    this.#room(MAX_DIGITS);
    // Most numbers are 32-bit integers, for which division is many times faster.
    if (value < 0 || value > 0x7fffffff) this.#wide(value);
    else this.#small(value | 0);
    return this;
  }

  #small(value: number): void {
    const chunk = this.#chunk;
    let end = this.#length + 1;
    for (let rest = value; rest > 9; rest = (rest / 10) | 0) end++;
    this.#length = end;
    let rest = value;
    do {
      const tenth = (rest / 10) | 0;
      chunk[--end] = ZERO + rest - tenth * 10;
      rest = tenth;
    } while (rest > 0);
  }

  #wide(value: number): void {
    if (value < 0) this.#chunk[this.#length++] = 0x2d;
    const magnitude = Math.abs(value);
    const high = Math.floor(magnitude / BILLION);
    if (high === 0) {
      this.#small(magnitude);
      return;
    }
    this.#small(high);
    // The lower nine digits need leading zeros.
    let rest = magnitude % BILLION;
    this.#length += 9;
    for (let at = this.#length - 1; at >= this.#length - 9; at--) {
      this.#chunk[at] = ZERO + (rest % 10);
      rest = Math.floor(rest / 10);
    }
  }

  /** Writes up to `maxBytes` of the string at `nameOff`; nothing if it is outside the strings. */
  name(t: TypeTable, nameOff: number, maxBytes = Infinity): this {
    const owner = stringOwner(t, nameOff);
    if (owner === null) return this;
    const start = owner.strStart + (nameOff - owner.strBase);
    this.#string(owner.blob, start, Math.min(owner.strEnd, start + maxBytes));
    return this;
  }

  /** Writes the bytes of `blob` from `start` up to a NUL or `end`. */
  #string(blob: Uint8Array, start: number, end: number): void {
    const chunk = this.#chunk;
    for (let at = start; at < end; ) {
      this.#room(1);
      const stop = Math.min(end, at + chunk.length - this.#length);
      const shift = this.#length - at;
      for (; at < stop; at++) {
        const byte = blob[at] ?? 0;
        if (byte === 0) break;
        chunk[at + shift] = byte;
      }
      this.#length = at + shift;
      if (at < stop) return;
    }
  }

  /** Passes the last chunk to `sink`. Must be called once, after all text is written. */
  end(): void {
    if (this.#length > 0) this.#flush();
  }

  #room(length: number): void {
    if (this.#length + length > this.#chunk.length) this.#flush();
  }

  #flush(): void {
    this.#sink(this.#chunk.subarray(0, this.#length));
    this.#flushed += this.#length;
    this.#length = 0;
  }
}

/** Returns the table, `t` or a base, that has the string at `nameOff`; null if none has it. */
export function stringOwner(t: TypeTable, nameOff: number): TypeTable | null {
  const table = stringTable(t, nameOff);
  if (table === null) return null;
  return nameOff - table.strBase < table.strEnd - table.strStart ? table : null;
}

/** A frequent short text: its bytes as 32-bit words, with the first byte lowest. */
export type Piece = { readonly words: Uint32Array; readonly length: number };

/** Returns the piece for a text. Its characters must be at most U+00FF. */
export function pieceOf(text: string): Piece {
  const words = new Uint32Array(Math.ceil(text.length / 4));
  for (let i = 0; i < text.length; i++) {
    words[i >> 2] = (words[i >> 2] ?? 0) | (text.charCodeAt(i) << (8 * (i & 3)));
  }
  return { words, length: text.length };
}

/** Returns the whole output of `write` in one array. For `chunkLength` see `ByteText`. */
export function gathered(
  write: (out: ByteText) => void,
  chunkLength = CHUNK_LENGTH,
): Uint8Array<ArrayBuffer> {
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  const out = new ByteText((chunk) => chunks.push(chunk.slice()), chunkLength);
  write(out);
  out.end();
  return concatBytes(chunks);
}

/** Returns true if the string at `nameOff` is `text`, which must be ASCII. */
export function isText(types: TypeTable, nameOff: number, text: string): boolean {
  const table = stringOwner(types, nameOff);
  if (table === null) return false;
  const start = table.strStart + nameOff - table.strBase;
  if (start + text.length > table.strEnd) return false;
  for (let i = 0; i < text.length; i++) {
    if (table.blob[start + i] !== text.charCodeAt(i)) return false;
  }
  return start + text.length === table.strEnd || table.blob[start + text.length] === 0;
}
