/** The output of a decoder: a buffer that grows up to a limit. Matches copy from the buffer. */
import { Malformed } from '#bytes/issue.ts';

const FIRST_CAPACITY = 1 << 16;
/** A declared size is allocated at once only up to this multiple of the compressed size. */
const PLAUSIBLE_RATIO = 64;

export class UnpackedOutput {
  /** Buffer of the output, replaced when it grows. Only the first `length` bytes are data. */
  bytes: Uint8Array;
  length = 0;
  readonly region: string;
  /** Largest size of the output in bytes. */
  readonly limit: number;
  readonly #packedLength: number;

  constructor(region: string, limit: number, packedLength: number) {
    this.region = region;
    this.limit = limit;
    this.#packedLength = packedLength;
    this.bytes = new Uint8Array(Math.min(limit, FIRST_CAPACITY));
  }

  /** Prepares for `more` bytes that the stream declares. Throws `Malformed` beyond the limit. */
  declare(more: number): void {
    const total = this.length + more;
    if (total > this.limit) throw this.tooLarge(`${total} bytes declared`);
    const plausible = this.#packedLength * PLAUSIBLE_RATIO;
    if (total > this.bytes.length && total <= plausible) this.#move(total);
  }

  /** Returns the buffer with space for `more` bytes after `length`. Throws at the limit. */
  reserve(length: number, more: number): Uint8Array {
    this.length = length;
    const needed = length + more;
    if (needed <= this.bytes.length) return this.bytes;
    if (needed > this.limit) throw this.tooLarge(`at least ${needed} bytes`);
    this.#move(Math.min(this.limit, Math.max(needed, this.bytes.length * 2)));
    return this.bytes;
  }

  append(data: Uint8Array): void {
    this.reserve(this.length, data.length).set(data, this.length);
    this.length += data.length;
  }

  /** Appends `byte`, repeated `count` times. */
  fill(byte: number, count: number): void {
    this.reserve(this.length, count).fill(byte, this.length, this.length + count);
    this.length += count;
  }

  /** Returns a view of the data from `start` on, valid until the next `reserve`. */
  from(start: number): Uint8Array {
    return this.bytes.subarray(start, this.length);
  }

  /** Returns all data in a buffer of exactly its size. */
  finish(): Uint8Array {
    return this.length === this.bytes.length ? this.bytes : this.bytes.slice(0, this.length);
  }

  tooLarge(found: string): Malformed {
    return new Malformed({
      code: 'container.too-large',
      region: this.region,
      message: `${this.region}: unpacks to more than the limit of ${this.limit} bytes (${found})`,
      span: null,
      expected: `at most ${this.limit} bytes`,
      found,
      advice: 'Unpack the file yourself and open the result.',
    });
  }

  #move(capacity: number): void {
    let grown: Uint8Array;
    try {
      grown = new Uint8Array(capacity);
    } catch (error) {
      // The browser cannot allocate the memory: report it as the limit.
      if (error instanceof RangeError) {
        throw this.tooLarge(`${capacity} bytes wanted, more memory than there is`);
      }
      throw error;
    }
    grown.set(this.bytes.subarray(0, this.length));
    this.bytes = grown;
  }
}

/**
 * Copies `length` bytes, eight at a time, because a check per byte would be slow. May write up to
 * seven bytes more, for which `out` needs space. `source` may be `out`.
 */
export function copyEights(
  out: Uint8Array,
  at: number,
  source: Uint8Array,
  from: number,
  length: number,
): void {
  for (let i = 0; i < length; i += 8) {
    out[at + i] = source[from + i] ?? 0;
    out[at + i + 1] = source[from + i + 1] ?? 0;
    out[at + i + 2] = source[from + i + 2] ?? 0;
    out[at + i + 3] = source[from + i + 3] ?? 0;
    out[at + i + 4] = source[from + i + 4] ?? 0;
    out[at + i + 5] = source[from + i + 5] ?? 0;
    out[at + i + 6] = source[from + i + 6] ?? 0;
    out[at + i + 7] = source[from + i + 7] ?? 0;
  }
}
