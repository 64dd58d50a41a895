/**
 * Text as bytes, for the dumps of whole files.
 *
 * Names in a BTF blob are arbitrary bytes and the field's tools print them as
 * they stand, so that a dump is bytes too. Writing them straight into chunks
 * also saves a string per name. Chunks go to `sink` as they fill; each is its own.
 */
import type { TypeTable } from '#model/type-table.ts';

const CHUNK_LENGTH = 1 << 16;
const ZERO = 0x30;
/** Digits of the largest safe integer, and a sign. */
const MAX_DIGITS = 17;

export class ByteText {
  readonly #sink: (chunk: Uint8Array<ArrayBuffer>) => void;
  #chunk = new Uint8Array(CHUNK_LENGTH);
  #length = 0;
  #flushed = 0;

  constructor(sink: (chunk: Uint8Array<ArrayBuffer>) => void) {
    this.#sink = sink;
  }

  /** Bytes written so far. */
  get length(): number {
    return this.#flushed + this.#length;
  }

  /** Writes a text of characters up to U+00FF, a byte each. */
  latin1(text: string): this {
    for (let start = 0; start < text.length; ) {
      this.#room(1);
      const end = Math.min(text.length, start + this.#chunk.length - this.#length);
      for (let at = start; at < end; at++) this.#chunk[this.#length++] = text.charCodeAt(at);
      start = end;
    }
    return this;
  }

  /** Writes one byte. */
  byte(value: number): this {
    this.#room(1);
    this.#chunk[this.#length++] = value;
    return this;
  }

  /** Writes `blob[start..end]`, clipped to it. */
  bytes(blob: Uint8Array, start: number, end: number): this {
    const stop = Math.min(end, blob.length);
    for (let at = start; at < stop; ) {
      this.#room(1);
      const part = Math.min(stop, at + this.#chunk.length - this.#length);
      while (at < part) this.#chunk[this.#length++] = blob[at++] ?? 0;
    }
    return this;
  }

  /** Writes a whole number between ±(2^53 - 1) in decimal. */
  decimal(value: number): this {
    this.#room(MAX_DIGITS);
    let rest = value;
    if (rest < 0) {
      this.#chunk[this.#length++] = 0x2d;
      rest = -rest;
    }
    let end = this.#length + 1;
    for (let bound = 10; bound <= rest; bound *= 10) end++;
    this.#length = end;
    // Integer division is many times faster on 32-bit numbers, and most are.
    for (; rest > 0x7fffffff; rest = Math.floor(rest / 10)) this.#chunk[--end] = ZERO + (rest % 10);
    let small = rest | 0;
    do {
      const tenth = (small / 10) | 0;
      this.#chunk[--end] = ZERO + small - tenth * 10;
      small = tenth;
    } while (small > 0);
    return this;
  }

  /**
   * Writes the string at `nameOff` of the joined string sections of `t` and its
   * bases, up to its NUL. Nothing for an offset outside all of them.
   */
  name(t: TypeTable, nameOff: number): this {
    let table: TypeTable | null = t;
    while (table !== null && nameOff < table.strBase) table = table.base;
    if (table === null) return this;
    const { blob, strEnd } = table;
    let at = table.strStart + (nameOff - table.strBase);
    while (at < strEnd && blob[at] !== 0) {
      this.#room(1);
      const end = Math.min(strEnd, at + this.#chunk.length - this.#length);
      for (; at < end; at++) {
        const byte = blob[at] ?? 0;
        if (byte === 0) return this;
        this.#chunk[this.#length++] = byte;
      }
    }
    return this;
  }

  /** Gives the last chunk to the sink. To be called once, at the end. */
  end(): void {
    if (this.#length > 0) this.#flush();
  }

  #room(length: number): void {
    if (this.#length + length > this.#chunk.length) this.#flush();
  }

  #flush(): void {
    this.#sink(this.#chunk.subarray(0, this.#length));
    this.#flushed += this.#length;
    this.#chunk = new Uint8Array(CHUNK_LENGTH);
    this.#length = 0;
  }
}

/** All that `write` writes, as one array. */
export function gathered(write: (out: ByteText) => void): Uint8Array<ArrayBuffer> {
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  let length = 0;
  const out = new ByteText((chunk) => {
    chunks.push(chunk);
    length += chunk.length;
  });
  write(out);
  out.end();
  const all = new Uint8Array(length);
  let at = 0;
  for (const chunk of chunks) {
    all.set(chunk, at);
    at += chunk.length;
  }
  return all;
}
