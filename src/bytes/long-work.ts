/** Long work in slices. Other tasks run in between. The page uses `Steps`, workers use `Slices`. */

/** The part of an `AbortSignal` that long work checks. */
export type Signal = Pick<AbortSignal, 'throwIfAborted'>;

/** Milliseconds that a worker works before it lets other tasks run. */
export const SLICE_MS = 40;

/** Divides long work into slices. Other tasks, such as a cancel message, run between slices. */
export class Slices {
  readonly #lengthMs: number;
  readonly #signal: Signal | undefined;
  #end: number;

  /** Starts the first slice. Each slice lasts `lengthMs` milliseconds. */
  constructor(lengthMs: number, signal: Signal | undefined) {
    this.#lengthMs = lengthMs;
    this.#signal = signal;
    this.#end = performance.now() + lengthMs;
  }

  /** True if the slice has used its time; the caller must then call `rest`. */
  get isOver(): boolean {
    return performance.now() >= this.#end;
  }

  /** Lets other tasks run, then starts a slice. If `signal` is aborted, throws its reason. */
  async rest(): Promise<void> {
    await new Promise((resolve) => setTimeout(resolve, 0));
    this.#signal?.throwIfAborted();
    this.#end = performance.now() + this.#lengthMs;
  }
}

/** Progress of a long task: `done` of `total` units. `total` is 0 while it is unknown. */
export type Progress = {
  readonly step: string;
  readonly done: number;
  readonly total: number;
  /** First part of the result, for early display. It has the type of the whole result. */
  readonly beginning?: unknown;
  /** First lines of a text that is read, for display meanwhile. */
  readonly lines?: string | undefined;
};

/** Long work as a generator: yields where other tasks may run, then returns the result. */
export type Steps<T = void> = Generator<undefined, T, undefined>;

/** Returns true for every 1024th row: the loop must then yield. */
export function isRest(done: number): boolean {
  return (done & 1023) === 1023;
}

/** Runs `steps` to the end and returns the result. */
export function finish<T>(steps: Generator<unknown, T, undefined>): T {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}

/** Work in progress. Several callers can advance the same work. */
export class Run<T> {
  readonly #steps: Steps<T>;
  #result: { readonly value: T } | null = null;

  constructor(steps: Steps<T>) {
    this.#steps = steps;
  }

  /** Result of the work; null until the work is done. */
  get result(): { readonly value: T } | null {
    return this.#result;
  }

  /** Works for about `ms` milliseconds, up to the next yield, or until the work is done. */
  advance(ms: number): void {
    const end = performance.now() + ms;
    while (this.#result === null) {
      const step = this.#steps.next();
      if (step.done === true) this.#result = { value: step.value };
      else if (performance.now() >= end) return;
    }
  }

  /** Runs the work inside of other work, and yields where the inner work yields. */
  *join(): Steps<T> {
    while (this.#result === null) {
      this.advance(1);
      if (this.#result === null) yield;
    }
    return this.finish();
  }

  /** Runs the work to its end and returns the result. */
  finish(): T {
    this.#result ??= { value: finish(this.#steps) };
    return this.#result.value;
  }
}

/** Caches the result of long work per immutable object. A result is freed with its object. */
export class Derived<Of extends object, T> {
  readonly #steps: (of: Of) => Steps<T>;
  readonly #runs = new WeakMap<Of, Run<T>>();

  constructor(steps: (of: Of) => Steps<T>) {
    this.#steps = steps;
  }

  /** Returns the work for the object `of`, for a caller that must not block. */
  runOf(of: Of): Run<T> {
    let run = this.#runs.get(of);
    if (run === undefined) {
      run = new Run(this.#steps(of));
      this.#runs.set(of, run);
    }
    return run;
  }

  /** Returns the result for the object `of`. Blocks until the work is done. */
  of(of: Of): T {
    return this.runOf(of).finish();
  }
}

/**
 * Sorts `rows` by `compare`; equal rows keep their order. Merges runs that are already sorted. For
 * a single run, which is usual, the result is `rows` itself.
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

/** A signal that cancels long work, and a callback for its progress. */
export type Context = {
  readonly signal: AbortSignal;
  readonly onProgress: (progress: Progress) => void;
};

/** Runs `work` in slices and returns its result. If `signal` is aborted, throws its reason. */
export async function inSlices<T>(
  work: Generator<Progress, T, void>,
  { signal, onProgress }: Context,
): Promise<T> {
  const slices = new Slices(SLICE_MS, signal);
  for (;;) {
    const step = work.next();
    if (step.done) return step.value;
    if (!slices.isOver) continue;
    onProgress(step.value);
    await slices.rest();
  }
}
