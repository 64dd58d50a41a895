/** Values of a formula's terms for one relocation entry. */
import type { Formula } from '#formats/elf/relocations/formula.ts';

/** Computes each term when a formula first needs it. */
export class TermValues {
  readonly #compute: (term: string) => bigint | null;
  readonly #values = new Map<string, bigint | null>();

  constructor(compute: (term: string) => bigint | null) {
    this.#compute = compute;
  }

  /** Returns the value of a term; null if it is unknown. */
  readonly valueOf = (term: string): bigint | null => {
    const known = this.#values.get(term);
    if (known !== undefined) return known;
    const value = this.#compute(term);
    this.#values.set(term, value);
    return value;
  };

  /** Returns the terms that were computed so far. */
  known(): ReadonlyMap<string, bigint | null> {
    return this.#values;
  }

  /** Returns the reason why a formula has no value. */
  why({ terms }: Formula): string {
    const missing = terms.filter((term) => this.valueOf(term) === null);
    return missing.length === 0 ? '' : `unknown: ${missing.join(', ')}`;
  }
}
