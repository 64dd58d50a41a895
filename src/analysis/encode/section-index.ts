/** Finds the section of an address. Source: pahole 1.31, btf_encoder.c, `get_elf_section`. */

/** A section of the file. In relocatable files `address` is the place that libdwfl gives it. */
export type EncodedSection = {
  /** Name with one character per byte. */
  readonly name: string;
  /** SHT_*. */
  readonly type: number;
  readonly address: bigint;
  readonly size: bigint;
};

const SHT_PROGBITS = 1;
const SHT_NOBITS = 8;

/** Sections of data by address. Sections without an address overlap; the first one counts. */
export class SectionIndex {
  /** Addresses at which the section changes, and the section from each on; 0 for none. */
  readonly #starts: readonly bigint[];
  readonly #sections: readonly number[];

  constructor(sections: readonly EncodedSection[]) {
    const ranges = sections.flatMap(({ type, address, size }, index) =>
      index > 0 && size > 0n && (type === SHT_PROGBITS || type === SHT_NOBITS)
        ? [{ index, start: address, end: address + size }]
        : [],
    );
    const starts = [...new Set(ranges.flatMap(({ start, end }) => [start, end]))].sort(compare);
    const rowOf = new Map(starts.map((start, row) => [start, row]));
    const owner = starts.map(() => 0);
    // Row after each row that has no section yet: each row is given a section once.
    const next = starts.map((_, row) => row);
    const firstFree = (from: number) => {
      let row = from;
      while ((next[row] ?? row) !== row) {
        next[row] = next[next[row] ?? row] ?? row;
        row = next[row] ?? row;
      }
      return row;
    };
    for (const { index, start, end } of ranges) {
      const last = rowOf.get(end) ?? 0;
      for (let row = firstFree(rowOf.get(start) ?? 0); row < last; row = firstFree(row)) {
        owner[row] = index;
        next[row] = row + 1;
      }
    }
    this.#starts = starts;
    this.#sections = owner;
  }

  /** Returns the index of the section that contains `address`; 0 if none does. */
  at(address: bigint): number {
    let low = 0;
    let high = this.#starts.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#starts[middle] ?? 0n) <= address) low = middle + 1;
      else high = middle;
    }
    return this.#sections[low - 1] ?? 0;
  }
}

function compare(a: bigint, b: bigint): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
