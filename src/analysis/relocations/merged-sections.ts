/**
 * Finds parts of sections with SHF_MERGE in a linked file: linkers join equal strings and constants.
 * Source: System V gABI chapter 4, "Section Attribute Flags".
 */
import { lowerBound } from '#bytes/arrays.ts';
import { getOrCreate } from '#bytes/cache.ts';

export const SHF_MERGE = 0x10n;
export const SHF_STRINGS = 0x20n;

/** The bytes of a section in an object and of the output section that its parts went to. */
export type MergedInput = {
  readonly own: Uint8Array;
  /** Size of a constant, or of a character of strings, in bytes. */
  readonly entrySize: number;
  readonly isStrings: boolean;
  /** Index of the output section. */
  readonly section: number;
  readonly output: Uint8Array;
  /** Address of the first byte of `output`. */
  readonly address: bigint;
  /** Offset in `output` at which parts are expected. */
  readonly from: number;
};

/** Sizes of characters; constants may be larger. */
const MAX_CHARACTER = 4;
const MAX_CONSTANT = 64;

/** How often an output section is searched, on average, before the rest stays unknown. */
const MAX_SEARCHES = 32;

/** Sections whose parts linkers join. Each output section is searched once for parts of one kind. */
export class MergedSections {
  readonly #searches = new Map<string, PartSearch>();
  readonly #budget: { bytes: number };

  /** `linkedBytes` is the size of the linked file, which limits the work. */
  constructor(linkedBytes: number) {
    this.#budget = { bytes: MAX_SEARCHES * linkedBytes };
  }

  /** Adds a section before the first search; null for sizes that no linker joins. */
  add(input: MergedInput): MergedSection | null {
    const { entrySize, isStrings, section, own } = input;
    const max = isStrings ? MAX_CHARACTER : MAX_CONSTANT;
    if (!Number.isSafeInteger(entrySize) || entrySize < 1 || entrySize > max) return null;
    const search = getOrCreate(
      this.#searches,
      `${section} ${entrySize} ${isStrings}`,
      () => new PartSearch(input, this.#budget),
    );
    return new MergedSection(search, search.add(own, input.from), own.length);
  }
}

/** Addresses of the parts of one section. */
export class MergedSection {
  readonly #search: PartSearch;
  readonly #parts: SectionParts;
  readonly #length: number;

  constructor(search: PartSearch, parts: SectionParts, length: number) {
    this.#search = search;
    this.#parts = parts;
    this.#length = length;
  }

  /** Returns the address of byte `offset` of the section; null if its part is not in the output. */
  addressOf(offset: bigint): bigint | null {
    if (offset < 0n || offset >= BigInt(this.#length)) return null;
    const { starts, first } = this.#parts;
    const at = Number(offset);
    const nth = lowerBound(starts, at + 1) - 1;
    const start = starts[nth];
    const address = start === undefined ? null : this.#search.addressOf(first + nth);
    return start === undefined || address === null ? null : address + BigInt(at - start);
  }
}

/** Parts of a section: offsets where they begin, and the number of the first one in its search. */
type SectionParts = { readonly starts: readonly number[]; readonly first: number };

type Part = { readonly bytes: Uint8Array; readonly start: number; readonly end: number };

/** How a part was found, best first. Linkers also use the end of a longer string. */
type Match = { readonly rank: number; readonly at: number };

/** Finds the parts of several sections in one output section. */
class PartSearch {
  readonly #input: MergedInput;
  readonly #budget: { bytes: number };
  readonly #parts: Part[] = [];
  #from = Number.POSITIVE_INFINITY;
  /** Matches by part; null before the search. */
  #matches: readonly (Match | null)[] | null = null;

  constructor(input: MergedInput, budget: { bytes: number }) {
    this.#input = input;
    this.#budget = budget;
  }

  add(own: Uint8Array, from: number): SectionParts {
    const first = this.#parts.length;
    this.#from = Math.min(this.#from, from);
    const { entrySize, isStrings } = this.#input;
    let start = 0;
    for (let at = 0; at + entrySize <= own.length; at += entrySize) {
      if (isStrings && !isZero(own, at, entrySize)) continue;
      this.#parts.push({ bytes: own, start, end: isStrings ? at : at + entrySize });
      start = at + entrySize;
    }
    return { starts: this.#parts.slice(first).map((part) => part.start), first };
  }

  /** Returns the address of a part; null if it is not in the output. */
  addressOf(part: number): bigint | null {
    this.#matches ??= this.#search();
    const at = this.#matches[part]?.at ?? null;
    return at === null ? null : this.#input.address + BigInt(at);
  }

  #search(): readonly (Match | null)[] {
    const { output, entrySize, isStrings } = this.#input;
    this.#budget.bytes -= output.length;
    if (this.#budget.bytes < 0) return [];
    const order = this.#parts.map((_, i) => i).toSorted((x, y) => this.#compare(x, y));
    const unique = order.filter(
      (part, i) => i === 0 || this.#compare(order[i - 1] ?? 0, part) !== 0,
    );
    const matches = new Array<Match | null>(unique.length).fill(null);
    const parts = unique.flatMap((part) => this.#parts[part] ?? []);
    const begin = this.#from % entrySize;
    for (let at = begin; at + entrySize <= output.length; at += entrySize) {
      if (!isStrings) this.#matchBefore(parts, matches, at + entrySize, at);
      else if (isZero(output, at, entrySize)) this.#matchBefore(parts, matches, at, begin);
    }
    const byPart = new Array<Match | null>(order.length).fill(null);
    let nth = -1;
    for (const part of order) {
      if (part === unique[nth + 1]) nth++;
      byPart[part] = matches[nth] ?? null;
    }
    return byPart;
  }

  /** Notes the parts that end before byte `end` of the output, and begin at `begin` or after it. */
  #matchBefore(
    parts: readonly Part[],
    matches: (Match | null)[],
    end: number,
    begin: number,
  ): void {
    const { output, entrySize, isStrings } = this.#input;
    let [low, high] = [0, parts.length];
    for (let at = end; low < high; at--) {
      const part = parts[low];
      const isStart =
        at <= begin ||
        (isStrings && (end - at) % entrySize === 0 && isZero(output, at - entrySize, entrySize));
      if (part !== undefined && part.end - part.start === end - at) {
        const rank = (isStart ? 0 : 2) + (at >= this.#from ? 0 : 1);
        const known = matches[low] ?? null;
        if (known === null || rank < known.rank) matches[low] = { rank, at };
      }
      if (isStart) return;
      const byte = output[at - 1] ?? 0;
      const depth = end - at;
      low = firstPart(parts, low, high, depth, byte);
      high = firstPart(parts, low, high, depth, byte + 1);
    }
  }

  /** Compares two parts from their last bytes on. */
  #compare(one: number, other: number): number {
    const [x, y] = [this.#parts[one], this.#parts[other]];
    if (x === undefined || y === undefined) return 0;
    const length = Math.min(x.end - x.start, y.end - y.start);
    for (let i = 1; i <= length; i++) {
      const difference = (x.bytes[x.end - i] ?? 0) - (y.bytes[y.end - i] ?? 0);
      if (difference !== 0) return difference;
    }
    return x.end - x.start - (y.end - y.start);
  }
}

/** Returns the first part from `low` to `high` whose byte `depth` from the end is not below `byte`. */
function firstPart(
  parts: readonly Part[],
  low: number,
  high: number,
  depth: number,
  byte: number,
): number {
  let [first, end] = [low, high];
  while (first < end) {
    const middle = (first + end) >>> 1;
    const part = parts[middle];
    const isShort = part === undefined || part.end - part.start <= depth;
    if (isShort || (part.bytes[part.end - 1 - depth] ?? 0) < byte) first = middle + 1;
    else end = middle;
  }
  return first;
}

function isZero(bytes: Uint8Array, at: number, size: number): boolean {
  for (let i = 0; i < size; i++) if ((bytes[at + i] ?? 0) !== 0) return false;
  return true;
}
