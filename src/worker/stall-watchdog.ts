/**
 * Tells when a worker gives no sign of life while something is asked of it. Time is
 * counted in ticks of the page's own timer, each of which the worker had the chance
 * to answer: a computer that slept, or a tab in the background, is no silence.
 */
export type StallOptions = {
  /** Milliseconds between two questions whether it is alive. */
  readonly tick: number;
  /** Unanswered questions until it is given up. */
  readonly patience: number;
};

/** Half a minute: no step between two signs of life takes as long, on a slow machine and a large file either. */
export const PATIENT: StallOptions = { tick: 2000, patience: 15 };

/** Seconds of silence after which a worker is given up. */
export function patienceSeconds({ tick, patience }: StallOptions): number {
  return Math.round((tick * patience) / 1000);
}

export class StallWatchdog {
  readonly #options: StallOptions;
  readonly #ping: () => void;
  readonly #onSilence: () => void;
  #timer: ReturnType<typeof setInterval> | null = null;
  #silent = 0;

  constructor(options: StallOptions, ping: () => void, onSilence: () => void) {
    this.#options = options;
    this.#ping = ping;
    this.#onSilence = onSilence;
  }

  /** Something is asked: watch until `rest`. */
  begin(): void {
    if (this.#timer !== null) return;
    this.#silent = 0;
    this.#timer = setInterval(() => this.#tick(), this.#options.tick);
  }

  /** The worker has said something. */
  heard(): void {
    this.#silent = 0;
  }

  /** Nothing is asked any more. */
  rest(): void {
    if (this.#timer !== null) clearInterval(this.#timer);
    this.#timer = null;
  }

  #tick(): void {
    if (this.#silent >= this.#options.patience) {
      this.rest();
      this.#onSilence();
      return;
    }
    this.#silent++;
    this.#ping();
  }
}
