/** Integers of an atlas: unsigned LEB128 of at most ten bytes; signed numbers are zigzag-coded. */
import { Malformed } from '#bytes/issue.ts';

export function zigzag(value: number): number {
  return value < 0 ? -2 * value - 1 : 2 * value;
}

export function unzigzag(code: number): number {
  return code % 2 === 0 ? code / 2 : -(code + 1) / 2;
}

/** Writes values one after the other to a buffer that grows. */
export class VarintWriter {
  #bytes = new Uint8Array(1024);
  #length = 0;

  /** Number of bytes that were written so far. */
  get length(): number {
    return this.#length;
  }

  /** Writes an integer from 0 to 2^53 - 1. */
  uint(value: number): void {
    if (this.#length + 10 > this.#bytes.length) this.#grow(10);
    let rest = value;
    while (rest >= 0x80) {
      this.#bytes[this.#length++] = (rest % 0x80) | 0x80;
      rest = Math.floor(rest / 0x80);
    }
    this.#bytes[this.#length++] = rest;
  }

  /** Writes a signed integer of up to 53 bits. */
  sint(value: number): void {
    this.uint(zigzag(value));
  }

  bytes(bytes: Uint8Array): void {
    if (this.#length + bytes.length > this.#bytes.length) this.#grow(bytes.length);
    this.#bytes.set(bytes, this.#length);
    this.#length += bytes.length;
  }

  /** Writes the length of `bytes`, then `bytes`. */
  counted(bytes: Uint8Array): void {
    this.uint(bytes.length);
    this.bytes(bytes);
  }

  /** Returns a copy of all written bytes. */
  finish(): Uint8Array<ArrayBuffer> {
    return this.#bytes.slice(0, this.#length);
  }

  #grow(by: number): void {
    const bytes = new Uint8Array(Math.max(2 * this.#bytes.length, this.#length + by));
    bytes.set(this.#bytes.subarray(0, this.#length));
    this.#bytes = bytes;
  }
}

/** Reads the output of `VarintWriter`. Every method throws `Malformed` for invalid bytes. */
export class VarintReader {
  readonly #bytes: Uint8Array;
  readonly #region: string;
  #at = 0;

  /** `region` is the display name of the bytes in messages. */
  constructor(bytes: Uint8Array, region: string) {
    this.#bytes = bytes;
    this.#region = region;
  }

  /** Number of bytes that are left to read. */
  get left(): number {
    return this.#bytes.length - this.#at;
  }

  /** Reads an integer from 0 to 2^53 - 1. */
  uint(what: string): number {
    let value = 0;
    for (let factor = 1; ; factor *= 0x80) {
      const byte = this.#bytes[this.#at++];
      if (byte === undefined) throw this.malformed(`${what} is cut off`);
      value += (byte & 0x7f) * factor;
      if (value > Number.MAX_SAFE_INTEGER) throw this.malformed(`${what} is too large`);
      if (byte < 0x80) return value;
      if (factor > 2 ** 49) throw this.malformed(`${what} is too long`);
    }
  }

  /** Reads a signed integer. */
  sint(what: string): number {
    return unzigzag(this.uint(what));
  }

  /** Reads a number of elements. Throws if `least` bytes for each are more than the bytes left. */
  count(what: string, least = 1): number {
    const value = this.uint(what);
    if (value * least > this.left) throw this.malformed(`${what} is ${value}, more than there are`);
    return value;
  }

  /** Reads a number below `limit`. */
  below(limit: number, what: string): number {
    const value = this.uint(what);
    if (value >= limit) throw this.malformed(`${what} is ${value}, which must be below ${limit}`);
    return value;
  }

  /** Returns a view of the next `length` bytes. */
  bytes(length: number, what: string): Uint8Array {
    if (length > this.left) throw this.malformed(`${what} is cut off`);
    this.#at += length;
    return this.#bytes.subarray(this.#at - length, this.#at);
  }

  /** Reads a length, then returns a view of as many bytes. */
  counted(what: string): Uint8Array {
    return this.bytes(this.uint(what), what);
  }

  /** Returns an error with `message` about the bytes. */
  malformed(message: string): Malformed {
    return new Malformed({
      code: 'atlas.corrupt',
      region: this.#region,
      message: `${this.#region}: ${message}`,
      span: null,
    });
  }
}
