/** Finds the first of many address ranges that contains an address, in logarithmic time. */
import { upperBound } from '#bytes/arrays.ts';

/** Addresses from `start` to `end` (exclusive). */
export type AddressRange = { readonly start: bigint; readonly end: bigint };

export class AddressRanges {
  /** Ends of ranges, ascending; between two neighbours the first range is the same. */
  readonly #borders: readonly bigint[];
  readonly #first: Int32Array;

  constructor(ranges: readonly AddressRange[]) {
    const used = ranges.filter(({ start, end }) => start < end);
    const all = new Set(used.flatMap(({ start, end }) => [start, end]));
    this.#borders = [...all].toSorted((x, y) => (x < y ? -1 : Number(x > y)));
    const places = new Map(this.#borders.map((border, i) => [border, i] as const));
    this.#first = new Int32Array(this.#borders.length).fill(-1);
    // `next` skips the parts that an earlier range has taken.
    const next = Uint32Array.from({ length: this.#borders.length + 1 }, (_, i) => i);
    ranges.forEach(({ start, end }, range) => {
      if (start >= end) return;
      const last = places.get(end) ?? 0;
      for (let at = free(next, places.get(start) ?? 0); at < last; at = free(next, at)) {
        this.#first[at] = range;
        next[at] = at + 1;
      }
    });
  }

  /** Returns the index of the first range that contains `address`, or -1. */
  indexOf(address: bigint): number {
    return this.#first[upperBound(this.#borders, address) - 1] ?? -1;
  }
}

/** Returns the first free part from `at` on, and shortens the chain to it. */
function free(next: Uint32Array, at: number): number {
  let part = at;
  for (let following = next[part] ?? part; following !== part; following = next[part] ?? part) {
    next[part] = next[following] ?? following;
    part = next[part] ?? part;
  }
  return part;
}
