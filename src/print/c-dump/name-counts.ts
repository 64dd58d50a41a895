/**
 * Which names of a blob are the same, and how often each was given away.
 *
 * A C file has two sets of names, tags (`struct x`) and identifiers (typedefs,
 * enumerators); a name that comes a second time in its set gets a number.
 * Equality is that of the bytes: string sections need not hold a name only once,
 * and those of split BTF hold names of the base again.
 */
import { tablesOf } from '#model/joined-words.ts';
import { NameIds } from '#model/name-ids.ts';
import type { TypeTable } from '#model/type-table.ts';
import { stringOwner } from '#print/byte-text.ts';

/** The two sets of names. */
export const TAGS = 0;
export const IDENTIFIERS = 1;
type NameSet = typeof TAGS | typeof IDENTIFIERS;

export class NameCounts {
  readonly #types: TypeTable;
  readonly #names = new NameIds();
  /** String offset of the first byte that is at hand: not 0 where a base is missing. */
  readonly #firstOff: number;
  /** One more than the number of the name at a string offset, from `#firstOff` on; 0 = not asked for yet. */
  readonly #numberAt: Uint32Array;
  /** Of each set, how often it has the name of a number; all offsets outside of the strings are name 0. */
  readonly #counts: readonly [number[], number[]] = [[], []];

  constructor(types: TypeTable) {
    this.#types = types;
    // As long as the string sections are in bytes; a base that is missing may be said to have 4 GB.
    const tables = tablesOf(types);
    this.#firstOff = tables[0]?.strBase ?? 0;
    const last = Math.max(...tables.map((t) => t.strBase + t.strEnd - t.strStart));
    this.#numberAt = new Uint32Array(last - this.#firstOff);
  }

  /** Counts the name at `nameOff` once more in `set` and gives the new count. */
  add(set: NameSet, nameOff: number): number {
    const counts = this.#counts[set];
    const number = this.#numberOf(nameOff);
    const count = (counts[number] ?? 0) + 1;
    counts[number] = count;
    return count;
  }

  #numberOf(nameOff: number): number {
    const at = nameOff - this.#firstOff;
    const known = this.#numberAt[at] ?? 0;
    if (known !== 0) return known - 1;
    const isOutside = stringOwner(this.#types, nameOff) === null;
    const number = isOutside ? 0 : this.#names.idOf(this.#types, nameOff) + 1;
    // Offsets outside all strings are not kept: writing there does nothing.
    this.#numberAt[at] = number + 1;
    return number;
  }
}
