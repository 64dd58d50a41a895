/** 32-bit words one after another, in a buffer that grows; each number is checked against its field. */
import type { Endian } from '#bytes/span.ts';

export const U32_MAX = 0xffffffff;

/** Throws `RangeError` that names `field` unless `value` is a whole number from `min` to `max`. */
export function requireRange(field: string, value: number, max: number, min = 0): void {
  if (Number.isInteger(value) && value >= min && value <= max) return;
  throw new RangeError(`${field} is ${value}: it must be a whole number from ${min} to ${max}`);
}

export class WordBuffer {
  readonly endian: Endian;
  #bytes = new Uint8Array(4096);
  #view = new DataView(this.#bytes.buffer);
  #length = 0;

  constructor(endian: Endian) {
    this.endian = endian;
  }

  /** Bytes written so far. */
  get length(): number {
    return this.#length;
  }

  /** A view, good until the next word is written. */
  get bytes(): Uint8Array {
    return this.#bytes.subarray(0, this.#length);
  }

  /** Drops what stands at `length` and behind it: half a record, say. */
  cut(length: number): void {
    this.#length = Math.min(length, this.#length);
  }

  /** Throws `RangeError` that names `field` where `value` does not fit 32 bits without sign. */
  u32(field: string, value: number): void {
    requireRange(field, value, U32_MAX);
    if (this.#length + 4 > this.#bytes.length) this.#grow();
    this.#view.setUint32(this.#length, value, this.endian === 'little');
    this.#length += 4;
  }

  #grow(): void {
    const bytes = new Uint8Array(this.#bytes.length * 2);
    bytes.set(this.#bytes);
    this.#bytes = bytes;
    this.#view = new DataView(bytes.buffer);
  }
}
