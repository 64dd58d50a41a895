/** A worker that is lost: when it counts as such, at which step it was, and what becomes of the file. */
import type { Issue } from '#bytes/issue.ts';
import type { Method } from './protocol.ts';

/** What a person calls the work. */
const WORDS: Readonly<Record<Method, string>> = {
  open: 'parsing of the file',
  tryBase: 'the base check',
  setBase: 'parsing of the file on its base',
  declare: 'parsing of the declarations',
  useKernel: 'take the types of a kernel',
  embedded: 'the search for BPF objects',
  member: 'reading of a member',
  bytes: 'byte access',
  find: 'the palette search',
  census: 'the count of types',
  searchTypes: 'the type search',
  referrers: 'the search for users of a type',
  typeUses: 'the search for uses of a type',
  graph: 'the graph',
  graphReferrers: 'the search for users of a type',
  paths: 'the path search',
  fieldNames: 'the field search',
  findings: 'linting',
  check: 'the check',
  libbpfVerdict: 'the check',
  loadCalls: 'the system calls',
  loadObject: 'opening the object as libbpf does',
  judgeLoad: 'judging whether an object loads',
  remedies: 'the search for a fix',
  resolveCore: 'CO-RE relocation',
  explainCore: 'the CO-RE trace',
  followLog: 'log parsing',
  minBtf: 'BTF minimization',
  text: 'text output',
  typesLink: 'link creation',
  fileLink: 'link creation',
  compare: 'the comparison',
  duplicates: 'the search for duplicates',
  buildAtlas: 'building an atlas',
  atlasNames: 'the search for names',
  atlasHistory: 'the history',
  atlasAccess: 'trying a member on all kernels',
  atlasBtf: 'making the BTF of a kernel',
  query: 'the query',
  sha256: 'file hashing',
};

/** What the worker was at, as far as it is known: `linting (code)`. */
export function stepText(method: Method, progressStep: string | null): string {
  return progressStep === null ? WORDS[method] : `${WORDS[method]} (${progressStep})`;
}

export const STUCK = 'worker.stuck';

/** It stopped by itself, or the browser ended it. */
export function diedIssue(how: string, step: string | null): Issue {
  const at = step === null ? '' : ` during ${step}`;
  return lost('worker.died', `The worker of this file stopped${at}: ${how || 'no reason given'}`);
}

/** It was ended since it did not answer. */
export function stuckIssue(seconds: number, step: string | null): Issue {
  const at = step === null ? '' : ` during ${step}`;
  return lost(
    STUCK,
    `The worker of this file did not answer for ${seconds} seconds${at} and was ended`,
  );
}

function lost(code: string, message: string): Issue {
  return {
    severity: 'error',
    code,
    message,
    span: null,
    region: '',
    advice: 'Open the file again. If it happens twice, please report it.',
  };
}

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
