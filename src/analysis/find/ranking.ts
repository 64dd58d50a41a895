/**
 * Keeps the best of very many matches, in order. Scores are small whole numbers, the
 * lower the better, so that only a count for each of them has to be kept and
 * what cannot come among the best any more is not stored at all.
 */
export type Ranked<T> = { readonly score: number; readonly value: T };

const SCORES = 1200;

export class Ranking<T> {
  readonly #limit: number;
  readonly #kept: Ranked<T>[] = [];
  readonly #counts = new Uint32Array(SCORES);
  /** Worse scores cannot be among the best. */
  #cutoff = SCORES - 1;
  /** Matches up to the cutoff. */
  #within = 0;
  #total = 0;

  /** Keeps at most `limit` matches, 1 or more. */
  constructor(limit: number) {
    this.#limit = Math.max(1, limit);
  }

  /** Number of added matches. */
  get total(): number {
    return this.#total;
  }

  /** Would a match of this score be kept? Counts the match if not. */
  passes(score: number): boolean {
    if (score <= this.#cutoff) return true;
    this.#total++;
    return false;
  }

  /** Adds a match. Of equal scores the earlier one is better. */
  add(score: number, value: T): void {
    const at = Math.max(0, Math.min(SCORES - 1, Math.round(score)));
    this.#total++;
    if (at > this.#cutoff) return;
    this.#kept.push({ score: at, value });
    this.#counts[at] = (this.#counts[at] ?? 0) + 1;
    this.#within++;
    for (;;) {
      const worst = this.#counts[this.#cutoff] ?? 0;
      if (this.#within - worst < this.#limit) break;
      this.#within -= worst;
      this.#cutoff--;
    }
  }

  /** Best hits, the best first. */
  best(): readonly Ranked<T>[] {
    return this.#kept
      .filter(({ score }) => score <= this.#cutoff)
      .sort((a, b) => a.score - b.score)
      .slice(0, this.#limit);
  }
}
