/** Value with its score, a small whole number. Lower is better. */
export type Ranked<T> = { readonly score: number; readonly value: T };

const SCORE_COUNT = 1200;

/** Keeps the best of many matches. Counts per score tell which matches can be dropped. */
export class Ranking<T> {
  readonly #limit: number;
  readonly #matches: Ranked<T>[] = [];
  readonly #counts = new Uint32Array(SCORE_COUNT);
  /** Greatest score that a match may have to be among the best. */
  #cutoff = SCORE_COUNT - 1;
  /** Number of matches with a score up to `#cutoff`. */
  #within = 0;
  #total = 0;

  /** `limit`: maximum number of best matches, at least 1. */
  constructor(limit: number) {
    this.#limit = Math.max(1, limit);
  }

  /** Number of matches, including the dropped ones. */
  get total(): number {
    return this.#total;
  }

  /** Returns true if a match with this score may be among the best; else adds 1 to `total`. */
  passes(score: number): boolean {
    if (score <= this.#cutoff) return true;
    this.#total++;
    return false;
  }

  /** Adds a match. Of matches with equal scores the first is best. */
  add(score: number, value: T): void {
    const at = Math.max(0, Math.min(SCORE_COUNT - 1, Math.round(score)));
    this.#total++;
    if (at > this.#cutoff) return;
    this.#matches.push({ score: at, value });
    this.#counts[at] = (this.#counts[at] ?? 0) + 1;
    this.#within++;
    for (;;) {
      const worst = this.#counts[this.#cutoff] ?? 0;
      if (this.#within - worst < this.#limit) break;
      this.#within -= worst;
      this.#cutoff--;
    }
  }

  /** Returns at most `limit` matches, best first. */
  best(): readonly Ranked<T>[] {
    return this.#matches
      .filter(({ score }) => score <= this.#cutoff)
      .sort((a, b) => a.score - b.score)
      .slice(0, this.#limit);
  }
}
