/** All matches of a text, found a piece at a time so that the page stays alive. */
import { findBytes, type Needle } from './find-bytes.ts';

/** More are not counted. */
export const MAX_MATCHES = 1_000_000;

export class MatchSearch {
  readonly #bytes: Uint8Array;
  readonly #needle: Needle;
  #at = 0;
  #offsets = new Uint32Array(1024);
  #count = 0;

  constructor(bytes: Uint8Array, needle: Needle) {
    this.#bytes = bytes;
    this.#needle = needle;
  }

  get isDone(): boolean {
    return this.#at >= this.#bytes.length || this.#count >= MAX_MATCHES;
  }

  get count(): number {
    return this.#count;
  }

  /** Offset of each match so far, in order; what stands behind `count` is of no meaning. */
  get offsets(): Uint32Array {
    return this.#offsets;
  }

  /** Looks through the next `length` bytes. */
  advance(length: number): void {
    const end = Math.min(this.#bytes.length, this.#at + length);
    this.#at = findBytes(this.#bytes, this.#needle, this.#at, end, (offset) => this.#add(offset));
  }

  #add(offset: number): void {
    if (this.#count >= MAX_MATCHES) return;
    if (this.#count === this.#offsets.length) {
      const more = new Uint32Array(2 * this.#count);
      more.set(this.#offsets);
      this.#offsets = more;
    }
    this.#offsets[this.#count++] = offset;
  }
}

/**
 * Index of the first match at byte `start` or behind it, among the first `count`; null
 * where there is none. The offsets are in order.
 */
export function matchFrom(offsets: Uint32Array, count: number, start: number): number | null {
  let low = 0;
  let high = count;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((offsets[middle] ?? 0) < start) low = middle + 1;
    else high = middle;
  }
  return low < count ? low : null;
}
