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
