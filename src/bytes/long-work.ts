/** Long work in slices, between which other tasks run: `Steps` in the page, `Slices` in workers. */

/** The part of an `AbortSignal` that long work checks. */
export type Signal = Pick<AbortSignal, 'throwIfAborted'>;

/** Milliseconds of work in a worker between two rests. */
export const SLICE_MS = 40;

/** Divides long work into slices of time, so that other tasks, such as a cancel message, run between them. */
export class Slices {
  readonly #lengthMs: number;
  readonly #signal: Signal | undefined;
  #end: number;

  /** Starts the first slice. */
  constructor(lengthMs: number, signal: Signal | undefined) {
    this.#lengthMs = lengthMs;
    this.#signal = signal;
    this.#end = performance.now() + lengthMs;
  }

  /** True when the slice has used its time and the caller must call `rest`. */
  get isOver(): boolean {
    return performance.now() >= this.#end;
  }

  /** Lets other tasks run, then starts another slice. Throws the signal's reason once it is aborted. */
  async rest(): Promise<void> {
    await new Promise((resolve) => setTimeout(resolve, 0));
    this.#signal?.throwIfAborted();
    this.#end = performance.now() + this.#lengthMs;
  }
}

/** Progress of a long task: `done` of `total`, in the unit of the step; `total` is 0 while unknown. */
export type Progress = {
  readonly step: string;
  readonly done: number;
  readonly total: number;
  /** First part of the answer, of the same type as the whole, if it can be shown early. */
  readonly beginning?: unknown;
};

/** Work that yields where it may be interrupted; small work never yields. Returns the result. */
export type Steps<T = void> = Generator<undefined, T, undefined>;

/** True once for every 1024 rows: the loop must yield now. */
export function isRest(done: number): boolean {
  return (done & 1023) === 1023;
}

/** Runs the work to its end and returns the result. */
export function finish<T>(steps: Generator<unknown, T, undefined>): T {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}

/** One piece of work in progress, which several callers can advance. */
export class Run<T> {
  readonly #steps: Steps<T>;
  #result: { readonly value: T } | null = null;

  constructor(steps: Steps<T>) {
    this.#steps = steps;
  }

  /** The result; null until the work is done. */
  get result(): { readonly value: T } | null {
    return this.#result;
  }

  /** Works for about `ms` milliseconds: until the work is done, or to the first yield after that time. */
  advance(ms: number): void {
    const end = performance.now() + ms;
    while (this.#result === null) {
      const step = this.#steps.next();
      if (step.done === true) this.#result = { value: step.value };
      else if (performance.now() >= end) return;
    }
  }

  /** Runs the same work as a part of other work. */
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

  /** Returns the work for `of`, for a caller that cannot wait for its end. */
  runOf(of: Of): Run<T> {
    let run = this.#runs.get(of);
    if (run === undefined) {
      run = new Run(this.#steps(of));
      this.#runs.set(of, run);
    }
    return run;
  }

  /** Returns the result for `of`; finishes the work now. */
  of(of: Of): T {
    return this.runOf(of).finish();
  }
}

/**
 * Sorts `rows` by `compare`; equal rows keep their order. A merge sort of the runs that are already
 * in order; most tables are one run, and `rows` itself is then returned.
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

/** Signal that cancels long work, and callback for its progress. */
export type Context = {
  readonly signal: AbortSignal;
  readonly onProgress: (progress: Progress) => void;
};

/** Runs `work` in slices and returns its result. Throws the reason of an aborted signal. */
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
