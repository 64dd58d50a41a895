/** Finds out whether names come in ascending order of their bytes, those without a name first. */
import { namePlace } from '#model/names.ts';
import type { TypeTable } from '#model/type-table.ts';

/** Minimum number of names that are no order by chance. */
const MIN_NAMES = 16;
/** Maximum bytes of a name to compare. */
const MAX_BYTES = 512;

export class NameOrder {
  readonly #types: TypeTable;
  #count = 0;
  #isBroken = false;
  #last = 0;

  constructor(types: TypeTable) {
    this.#types = types;
  }

  /** True if at least 16 names were added, all in order. */
  get isSorted(): boolean {
    return !this.#isBroken && this.#count >= MIN_NAMES;
  }

  /** Adds the next name; offset 0 is a type without a name. */
  add(nameOff: number): void {
    if (this.#isBroken) return;
    if (nameOff === 0) {
      this.#isBroken = this.#count > 0;
      return;
    }
    if (this.#count > 0 && nameOff !== this.#last) this.#isBroken = this.#isBefore(nameOff);
    this.#count += 1;
    this.#last = nameOff;
  }

  /** Returns true if the name at `nameOff` is less than the last name. */
  #isBefore(nameOff: number): boolean {
    const a = namePlace(this.#types, this.#last, MAX_BYTES);
    const b = namePlace(this.#types, nameOff, MAX_BYTES);
    const length = Math.min(a.end - a.start, b.end - b.start);
    for (let i = 0; i < length; i++) {
      const difference = (a.bytes[a.start + i] ?? 0) - (b.bytes[b.start + i] ?? 0);
      if (difference !== 0) return difference > 0;
    }
    return a.end - a.start > b.end - b.start;
  }
}
