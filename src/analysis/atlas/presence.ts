/** Unique sets of the kernels that have a row. Sets grow by one kernel at a time. */
import { grown } from './pools.ts';

/** The empty set. */
const NOTHING = 0;

/** Sets of kernels. A set is a previous set and one kernel, so that equal sets grow in one step. */
export class PresenceSets {
  #without = new Int32Array(1024);
  #kernel = new Int32Array(1024);
  #count = 1;
  /** Set by row. */
  #ofRow = new Int32Array(1024);

  /** Adds `kernel` to the sets of `rows`, which must be unique. Kernels are added in order. */
  add(kernel: number, rows: Int32Array): void {
    const grownSets = new Map<number, number>();
    for (const row of rows) {
      if (row >= this.#ofRow.length) {
        this.#ofRow = grown(this.#ofRow, Math.max(2 * this.#ofRow.length, row + 1));
      }
      const before = this.#ofRow[row] ?? NOTHING;
      let after = grownSets.get(before);
      if (after === undefined) {
        after = this.#add(before, kernel);
        grownSets.set(before, after);
      }
      this.#ofRow[row] = after;
    }
  }

  /** Sets the kernels of a row without a set; `known` maps equal lists to one set. */
  set(row: number, kernels: readonly number[], known: Map<string, number>): void {
    if (row >= this.#ofRow.length) {
      this.#ofRow = grown(this.#ofRow, Math.max(2 * this.#ofRow.length, row + 1));
    }
    const key = kernels.join();
    const set =
      known.get(key) ?? kernels.reduce((before, kernel) => this.#add(before, kernel), NOTHING);
    known.set(key, set);
    this.#ofRow[row] = set;
  }

  /** Returns the set of `row`; equal numbers are equal sets. */
  of(row: number): number {
    return this.#ofRow[row] ?? NOTHING;
  }

  /** Returns the kernels of a set, last kernel first. */
  kernels(set: number): number[] {
    const kernels: number[] = [];
    for (let at = set; at !== NOTHING; at = this.#without[at] ?? NOTHING) {
      kernels.push(this.#kernel[at] ?? 0);
    }
    return kernels;
  }

  #add(without: number, kernel: number): number {
    if (this.#count === this.#kernel.length) {
      this.#without = grown(this.#without, 2 * this.#count);
      this.#kernel = grown(this.#kernel, 2 * this.#count);
    }
    this.#without[this.#count] = without;
    this.#kernel[this.#count] = kernel;
    return this.#count++;
  }
}
