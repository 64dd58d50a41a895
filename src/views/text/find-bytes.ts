/** Incremental search for bytes. */
import { lowerBound } from '#bytes/arrays.ts';

const CASE = 0x20;
const LETTER_A = 0x41;
const LETTER_Z = 0x5a;

/**
 * Prepared search string for Horspool's algorithm: `skip` is the distance to the next position by
 * the last compared byte.
 */
export type Needle = {
  readonly bytes: Uint8Array;
  readonly fold: Uint8Array;
  readonly skip: Uint32Array;
};

/**
 * Returns the needle of `query`; null for an empty query. Without `matchCase` A to Z equal a to z.
 */
export function needleOf(query: string, matchCase: boolean): Needle | null {
  const encoded = new TextEncoder().encode(query);
  if (encoded.length === 0) return null;
  const fold = Uint8Array.from({ length: 256 }, (_, byte) =>
    !matchCase && byte >= LETTER_A && byte <= LETTER_Z ? byte | CASE : byte,
  );
  const bytes = encoded.map((byte) => fold[byte] ?? 0);
  const skip = new Uint32Array(256).fill(bytes.length);
  for (let byte = 0; byte < 256; byte++) {
    const at = bytes.lastIndexOf(fold[byte] ?? 0, bytes.length - 2);
    if (at >= 0 && bytes.length > 1) skip[byte] = bytes.length - 1 - at;
  }
  return { bytes, fold, skip };
}

/**
 * Passes to `found` the offset of each match in `bytes` that begins in `from` to `to`; matches do
 * not overlap. Returns the offset at which the search continues.
 */
export function findBytes(
  bytes: Uint8Array,
  needle: Needle,
  from: number,
  to: number,
  found: (offset: number) => void,
): number {
  const { bytes: wanted, fold, skip } = needle;
  const { length } = wanted;
  const last = Math.min(to, bytes.length - length + 1);
  let at = from;
  while (at < last) {
    let same = length - 1;
    while (same >= 0 && fold[bytes[at + same] ?? 0] === wanted[same]) same--;
    if (same < 0) {
      found(at);
      at += length;
    } else {
      at += skip[bytes[at + length - 1] ?? 0] ?? 1;
    }
  }
  return Math.max(at, to);
}

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

  /** Offsets of the matches so far, in order; entries from `count` on are unused. */
  get offsets(): Uint32Array {
    return this.#offsets;
  }

  /** Searches the next `length` bytes. */
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
 * Returns the index of the first match at or after byte `start` among the first `count`; null if
 * there is none. The offsets are in order.
 */
export function matchFrom(offsets: Uint32Array, count: number, start: number): number | null {
  const index = lowerBound(offsets, start, 0, count);
  return index < count ? index : null;
}
