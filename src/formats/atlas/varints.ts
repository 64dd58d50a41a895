/**
 * Whole numbers as the atlas stores them: LEB128 without sign, seven bits a byte, the low ones
 * first, at most ten bytes; numbers with a sign are zigzag-coded before (0, -1, 1, -2 …).
 */
import { Malformed } from '#bytes/issue.ts';

/** Bytes one after another, in a buffer that grows. */
export class VarintWriter {
  #bytes = new Uint8Array(1024);
  #length = 0;

  /** Bytes written so far. */
  get length(): number {
    return this.#length;
  }

  /** A whole number from 0 to 2^53 - 1. */
  uint(value: number): void {
    if (this.#length + 10 > this.#bytes.length) this.#grow(10);
    let rest = value;
    while (rest >= 0x80) {
      this.#bytes[this.#length++] = (rest % 0x80) | 0x80;
      rest = Math.floor(rest / 0x80);
    }
    this.#bytes[this.#length++] = rest;
  }

  /** A whole number of 53 bits with its sign. */
  sint(value: number): void {
    this.uint(value < 0 ? -2 * value - 1 : 2 * value);
  }

  /** A whole number below 2^64 without sign. */
  bigUint(value: bigint): void {
    let rest = BigInt.asUintN(64, value);
    while (rest >= 0x80n) {
      this.bytes(Uint8Array.of(Number(rest & 0x7fn) | 0x80));
      rest >>= 7n;
    }
    this.bytes(Uint8Array.of(Number(rest)));
  }

  bytes(bytes: Uint8Array): void {
    if (this.#length + bytes.length > this.#bytes.length) this.#grow(bytes.length);
    this.#bytes.set(bytes, this.#length);
    this.#length += bytes.length;
  }

  /** Bytes with their number before them. */
  counted(bytes: Uint8Array): void {
    this.uint(bytes.length);
    this.bytes(bytes);
  }

  /** A copy of what was written. */
  finish(): Uint8Array<ArrayBuffer> {
    return this.#bytes.slice(0, this.#length);
  }

  #grow(by: number): void {
    const bytes = new Uint8Array(Math.max(2 * this.#bytes.length, this.#length + by));
    bytes.set(this.#bytes.subarray(0, this.#length));
    this.#bytes = bytes;
  }
}

/** Reads what `VarintWriter` wrote. Every method throws `Malformed` where the bytes are not that. */
export class VarintReader {
  readonly #bytes: Uint8Array;
  readonly #region: string;
  #at = 0;

  /** `region` names the bytes in messages. */
  constructor(bytes: Uint8Array, region: string) {
    this.#bytes = bytes;
    this.#region = region;
  }

  /** Bytes that are left. */
  get left(): number {
    return this.#bytes.length - this.#at;
  }

  /** A whole number from 0 to 2^53 - 1. */
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

  /** A whole number with its sign. */
  sint(what: string): number {
    const value = this.uint(what);
    return value % 2 === 0 ? value / 2 : -(value + 1) / 2;
  }

  /** A whole number below 2^64 without sign. */
  bigUint(what: string): bigint {
    let value = 0n;
    for (let shift = 0n; shift < 70n; shift += 7n) {
      const byte = this.#bytes[this.#at++];
      if (byte === undefined) throw this.malformed(`${what} is cut off`);
      value |= BigInt(byte & 0x7f) << shift;
      if (byte < 0x80) return BigInt.asUintN(64, value);
    }
    throw this.malformed(`${what} is too long`);
  }

  /**
   * A number of things that each take at least `least` bytes of what is left: no larger one is
   * given, so that memory can be taken by it.
   */
  count(what: string, least = 1): number {
    const value = this.uint(what);
    if (value * least > this.left) throw this.malformed(`${what} is ${value}, more than there are`);
    return value;
  }

  /** A number below `limit`. */
  below(limit: number, what: string): number {
    const value = this.uint(what);
    if (value >= limit) throw this.malformed(`${what} is ${value}, which must be below ${limit}`);
    return value;
  }

  /** The next `length` bytes, as a view. */
  bytes(length: number, what: string): Uint8Array {
    if (length > this.left) throw this.malformed(`${what} is cut off`);
    this.#at += length;
    return this.#bytes.subarray(this.#at - length, this.#at);
  }

  /** Bytes with their number before them, as a view. */
  counted(what: string): Uint8Array {
    return this.bytes(this.uint(what), what);
  }

  /** The error for what cannot be read here. */
  malformed(message: string): Malformed {
    return new Malformed({
      code: 'atlas.corrupt',
      region: this.#region,
      message: `${this.#region}: ${message}`,
      span: null,
    });
  }
}
