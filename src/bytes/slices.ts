/** What stops long work: an `AbortSignal`. */
export type Signal = Pick<AbortSignal, 'throwIfAborted'>;

/** Long work in slices of time, so that others get in between: a cancel among them. */
export class Slices {
  readonly #lengthMs: number;
  readonly #signal: Signal | undefined;
  #end: number;

  /** The first slice begins now. */
  constructor(lengthMs: number, signal: Signal | undefined) {
    this.#lengthMs = lengthMs;
    this.#signal = signal;
    this.#end = performance.now() + lengthMs;
  }

  /** Is it time to `rest`? */
  get isOver(): boolean {
    return performance.now() >= this.#end;
  }

  /** Lets other tasks run, then begins another slice. Throws the signal's reason once it is aborted. */
  async rest(): Promise<void> {
    await new Promise((resolve) => setTimeout(resolve, 0));
    this.#signal?.throwIfAborted();
    this.#end = performance.now() + this.#lengthMs;
  }
}

/** How far a long piece of work is: `done` of `total` in a unit of the step's own; `total` 0 = not known. */
export type Progress = {
  readonly step: string;
  readonly done: number;
  readonly total: number;
  /** The beginning of the answer, in the form of the whole, where it can be shown before the rest. */
  readonly beginning?: unknown;
};
