/**
 * Faults that a damaged table repeats row by row: told once, with the place of
 * the first one and how many there are.
 */
import type { Issue } from '#bytes/issue.ts';

/** The first fault of its sort. `message` is asked at the end, when the count is known. */
export type FirstFault = Omit<Issue, 'code' | 'message'> & {
  readonly message: (count: number) => string;
};

export class Faults {
  readonly #found = new Map<string, { readonly first: FirstFault; count: number }>();

  /** Counts a fault; `describe` is called for the first one of its `code` only. */
  add(code: string, describe: () => FirstFault): void {
    const known = this.#found.get(code);
    if (known === undefined) this.#found.set(code, { first: describe(), count: 1 });
    else known.count += 1;
  }

  /** Adds one issue for each sort of fault, in the order of their first places. */
  report(issues: Issue[]): void {
    for (const [code, { first, count }] of this.#found) {
      issues.push({ ...first, code, message: first.message(count) });
    }
  }
}

/** `what: place`, or `what: 7, the first is place`. */
export function tally(what: string, place: string): (count: number) => string {
  return (count) =>
    count === 1 ? `${what}: ${place}` : `${what}: ${count}, the first is ${place}`;
}
