/** Detection of a lost worker, the step at which it was lost, and the issue for the file. */
import type { Issue } from '#bytes/issue.ts';
import type { Method } from './protocol.ts';

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

/** Returns the worker's last known step: `linting (code)`. */
export function stepText(method: Method, progressStep: string | null): string {
  return progressStep === null ? WORDS[method] : `${WORDS[method]} (${progressStep})`;
}

export const STUCK = 'worker.stuck';

/** Returns the issue of a worker that ended by itself or by the browser. */
export function diedIssue(how: string, step: string | null): Issue {
  const at = step === null ? '' : ` during ${step}`;
  return lost('worker.died', `The worker of this file stopped${at}: ${how || 'no reason given'}`);
}

/** Returns the issue of a worker that the page ended because it did not answer. */
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

/** Detection of a silent worker in ticks of the page's timer, which stops while a tab sleeps. */
export type StallOptions = {
  readonly tick: number;
  /** Unanswered pings until the worker is given up. */
  readonly patience: number;
};

/** Half a minute: longer than any step between two messages, even on a slow machine. */
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

  /** Starts watching: a request is pending. */
  begin(): void {
    if (this.#timer !== null) return;
    this.#silent = 0;
    this.#timer = setInterval(() => this.#tick(), this.#options.tick);
  }

  /** Resets the count: the worker has sent a message. */
  heard(): void {
    this.#silent = 0;
  }

  /** Stops watching: no request is pending. */
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

// A worker that the browser ends sends no message, but the browser releases its locks: the worker
// holds a lock for as long as it lives, and the page waits for the lock. Without locks (an origin
// that is not secure) the page detects the end later, by silence.
let lockCount = 0;

/** Returns a name for the lock of one worker that no other tab uses. */
export function livenessLockName(): string {
  lockCount++;
  return `btfscope-worker-${performance.timeOrigin}-${Math.random()}-${lockCount}`;
}

/** Holds the lock until the worker ends. Runs in the worker. */
export async function holdLivenessLock(name: string): Promise<boolean> {
  const locks = locksOf();
  if (locks === null) return false;
  return await new Promise<boolean>((resolve) => {
    const forever = new Promise<never>(() => undefined);
    const held = locks.request(name, () => {
      resolve(true);
      return forever;
    });
    held.catch(() => resolve(false));
  });
}

/** Calls `onEnd` when the worker, which holds the lock, has ended, unless `signal` aborts first. */
export function onLivenessLockFree(name: string, onEnd: () => void, signal: AbortSignal): void {
  locksOf()
    ?.request(name, { signal }, onEnd)
    // Aborted, or locks are forbidden: the page detects the end by silence.
    .catch(() => undefined);
}

function locksOf(): LockManager | null {
  // Both can be absent despite their types: an origin that is not secure has no locks.
  const { navigator } = globalThis as { readonly navigator?: { readonly locks?: LockManager } };
  return navigator?.locks ?? null;
}
