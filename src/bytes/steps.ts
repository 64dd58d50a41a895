/**
 * Long work that can be put down and taken up again: a generator that yields now
 * and then. What is small never yields, and is done in the first go.
 */

/** Yields where the work may rest, returns what came of it. */
export type Steps<T> = Generator<undefined, T, undefined>;

/** Is it time to yield, after `done` rows? Once for each 1024. */
export function isRest(done: number): boolean {
  return (done & 1023) === 1023;
}

/** All of the work at once. */
export function finish<T>(steps: Generator<unknown, T, undefined>): T {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}

/** One piece of work under way, whoever takes it further. */
export class Run<T> {
  readonly #steps: Steps<T>;
  #result: { readonly value: T } | null = null;

  constructor(steps: Steps<T>) {
    this.#steps = steps;
  }

  /** What came of it; null until it is done. */
  get result(): { readonly value: T } | null {
    return this.#result;
  }

  /** Works on for about `ms` milliseconds: until it is done, or the first rest after them. */
  advance(ms: number): void {
    const end = performance.now() + ms;
    while (this.#result === null) {
      const step = this.#steps.next();
      if (step.done === true) this.#result = { value: step.value };
      else if (performance.now() >= end) return;
    }
  }

  /** The same work as a part of other work. */
  *join(): Steps<T> {
    while (this.#result === null) {
      this.advance(1);
      if (this.#result === null) yield;
    }
    return this.finish();
  }

  /** Works on to the end. */
  finish(): T {
    this.#result ??= { value: finish(this.#steps) };
    return this.#result.value;
  }
}

/** What follows from an object that does not change. Found once, and forgotten with the object. */
export class Derived<Of extends object, T> {
  readonly #steps: (of: Of) => Steps<T>;
  readonly #runs = new WeakMap<Of, Run<T>>();

  constructor(steps: (of: Of) => Steps<T>) {
    this.#steps = steps;
  }

  /** The work for `of`, for who has not the time to wait for its end. */
  runOf(of: Of): Run<T> {
    let run = this.#runs.get(of);
    if (run === undefined) {
      run = new Run(this.#steps(of));
      this.#runs.set(of, run);
    }
    return run;
  }

  /** What came of it, at once: what is left of the work is done now. */
  of(of: Of): T {
    return this.runOf(of).finish();
  }
}

/** Sorting a million rows with rests. */

/**
 * `rows` by `compare`, those that are equal in the order in which they came. A merge sort from
 * runs that are in order already, which most tables are as a whole: `rows` is then given back.
 */
export function* sortSteps(
  rows: Uint32Array,
  compare: (a: number, b: number) => number,
): Steps<Uint32Array> {
  let ends = yield* runEnds(rows, compare);
  let from = rows;
  while (ends.length > 1) {
    const to = new Uint32Array(rows.length);
    const merged: number[] = [];
    for (let i = 0, start = 0; i < ends.length; i += 2) {
      const middle = ends[i] ?? start;
      const end = ends[i + 1] ?? middle;
      yield* mergeInto(to, from, { start, middle, end }, compare);
      merged.push(end);
      start = end;
    }
    ends = merged;
    from = to;
  }
  return from;
}

/** Where each run of rows that do not fall ends. */
function* runEnds(
  rows: Uint32Array,
  compare: (a: number, b: number) => number,
): Steps<readonly number[]> {
  const ends: number[] = [];
  for (let i = 1; i < rows.length; i++) {
    if (isRest(i)) yield;
    if (compare(rows[i - 1] ?? 0, rows[i] ?? 0) > 0) ends.push(i);
  }
  ends.push(rows.length);
  return ends;
}

type TwoRuns = { readonly start: number; readonly middle: number; readonly end: number };

function* mergeInto(
  to: Uint32Array,
  from: Uint32Array,
  { start, middle, end }: TwoRuns,
  compare: (a: number, b: number) => number,
): Steps<void> {
  let [left, right] = [start, middle];
  for (let at = start; at < end; at++) {
    if (isRest(at)) yield;
    const isLeft =
      right >= end || (left < middle && compare(from[left] ?? 0, from[right] ?? 0) <= 0);
    to[at] = from[isLeft ? left++ : right++] ?? 0;
  }
}
