/**
 * The string section under construction: each string once, in the order of first
 * use, ended by NUL.
 *
 * Source: "BTF Type Format", section 2.1. The first string is the empty one; in
 * split BTF that is the base's, and own strings count from the base's length.
 */

import type { Endian } from '#bytes/span.ts';
import type { BtfName } from './write-records.ts';

/** libbpf refuses longer string sections (`BTF_MAX_STR_OFFSET`). */
const MAX_OFFSET = 0x7fffffff;

const utf8 = new TextEncoder();
// Every byte a character of its own: two names are equal when their bytes are.
const latin1 = new TextDecoder('latin1');

export class StringPool {
  readonly #base: number;
  readonly #offsets = new Map<string, number>();
  readonly #parts: Uint8Array[] = [];
  #length = 0;

  /** `base` is the length of the base's strings in bytes; 0 where there is no base. */
  constructor(base: number) {
    this.#base = base;
    if (base === 0) this.#append('', new Uint8Array(0));
  }

  /** Bytes of the own section. */
  get length(): number {
    return this.#length;
  }

  /**
   * Offset of `name`, which is added where it is new. Throws `RangeError` that
   * names `field` for a NUL inside, for an offset behind the last string, and
   * when the section grows past what libbpf reads.
   */
  offsetOf(field: string, name: BtfName): number {
    if (typeof name === 'number') {
      const end = this.#base + this.#length;
      if (Number.isInteger(name) && name >= 0 && name < end) return name;
      throw new RangeError(`${field} is ${name}: the strings end at ${end}`);
    }
    if (name.length === 0) return 0;
    const bytes = typeof name === 'string' ? utf8.encode(name) : name;
    const key = latin1.decode(bytes);
    const known = this.#offsets.get(key);
    if (known !== undefined) return known;
    if (bytes.includes(0)) throw new RangeError(`${field}: a name cannot hold a NUL byte`);
    return this.#append(key, bytes.slice(), field);
  }

  /** Writes the section to `target` from `at` on. */
  writeTo(target: Uint8Array, at: number): void {
    let end = at;
    for (const part of this.#parts) {
      target.set(part, end);
      end += part.length + 1;
      target[end - 1] = 0;
    }
  }

  #append(key: string, bytes: Uint8Array, field = 'name_off'): number {
    const offset = this.#base + this.#length;
    if (offset + bytes.length > MAX_OFFSET) {
      throw new RangeError(`${field} is ${offset}: strings may reach up to ${MAX_OFFSET}`);
    }
    this.#offsets.set(key, offset);
    this.#parts.push(bytes);
    this.#length += bytes.length + 1;
    return offset;
  }
}

/** 32-bit words one after another, in a buffer that grows; each number is checked against its field. */

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
