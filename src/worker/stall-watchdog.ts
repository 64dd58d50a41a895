/** Detects that a worker has ended or hangs, and describes that as an issue. */
import type { Issue } from '#bytes/issue.ts';
import type { Method } from './protocol.ts';

const WORDS: Readonly<Record<Method, string>> = {
  open: 'parsing of the file',
  tryBase: 'the base check',
  setBase: 'parsing of the file on its base',
  setDebugFile: 'parsing of the debug file',
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
  btfOrigin: 'the check',
  loadCalls: 'the system calls',
  loadObject: 'opening the object as libbpf does',
  needs: 'the needs of an object',
  needsOnKernel: 'the needs of an object on a kernel',
  judgeLoad: 'judging whether an object loads',
  remedies: 'the search for a fix',
  resolveCore: 'CO-RE relocation',
  explainCore: 'the CO-RE trace',
  followLog: 'log parsing',
  minBtf: 'BTF minimization',
  text: 'text output',
  typesLink: 'link creation',
  fileLink: 'link creation',
  computeRelocation: 'a relocation',
  decisions: 'the encoding as BTF',
  compare: 'the comparison',
  duplicates: 'the search for duplicates',
  buildAtlas: 'building an atlas',
  atlasNames: 'the search for names',
  atlasHistory: 'the history',
  atlasAttach: 'the attach points',
  atlasAccess: 'trying a member on all kernels',
  atlasBtf: 'making the BTF of a kernel',
  logLines: 'log parsing',
  loaderLines: 'log parsing',
  logText: 'log parsing',
  findInLog: 'the search',
  answerLog: 'log parsing',
  programCode: 'log parsing',
  ruleCard: 'log parsing',
  replayLog: 'the reading of the walk',
  logFlow: 'the reading of the walk',
  compareLog: 'the comparison',
  logStep: 'the reading of the walk',
  logWrite: 'the search for a write',
  matchLog: 'log parsing',
  query: 'the query',
  sha256: 'file hashing',
};

/** Returns the last step of the worker as text, for example `linting (code)`. */
export function stepText(method: Method, progressStep: string | null): string {
  return progressStep === null ? WORDS[method] : `${WORDS[method]} (${progressStep})`;
}

export const STUCK = 'worker.stuck';

/** Returns the issue for a worker that ended by itself or was ended by the browser. */
export function diedIssue(how: string, step: string | null): Issue {
  const at = step === null ? '' : ` during ${step}`;
  return lost('worker.died', `The worker of this file stopped${at}: ${how || 'no reason given'}`);
}

/** Returns the issue for a worker that the page ended because it did not answer. */
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

/** Options for detecting a hanging worker. The ticks of the page stop while a tab sleeps. */
export type StallOptions = {
  readonly tick: number;
  /** Number of unanswered pings after which the worker counts as hanging. */
  readonly patience: number;
};

/** 30 seconds without a message: no step takes longer, even on a slow machine. */
export const PATIENT: StallOptions = { tick: 2000, patience: 15 };

/** Returns the seconds of silence after which a worker counts as hanging. */
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

  /** Starts the timer: a request is pending. */
  begin(): void {
    if (this.#timer !== null) return;
    this.#silent = 0;
    this.#timer = setInterval(() => this.#tick(), this.#options.tick);
  }

  /** Resets the count of unanswered pings: the worker has sent a message. */
  heard(): void {
    this.#silent = 0;
  }

  /** Stops the timer: no request is pending. */
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

// The worker holds a lock until it ends, and the page waits for the lock: a worker that the browser
// ends sends no message, but its lock becomes free. An insecure origin has no locks; there the page
// notices the silence.
let lockCount = 0;

/** Returns a new lock name that no other worker or tab uses. */
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

/** Calls `onEnd` when the worker has ended, which frees its lock, unless `signal` aborts. */
export function onLivenessLockFree(name: string, onEnd: () => void, signal: AbortSignal): void {
  locksOf()
    ?.request(name, { signal }, onEnd)
    // Aborted, or locks are forbidden: then only silence shows that the worker has ended.
    .catch(() => undefined);
}

function locksOf(): LockManager | null {
  // `navigator` and `locks` can be missing, for example on an insecure origin.
  const { navigator } = globalThis as { readonly navigator?: { readonly locks?: LockManager } };
  return navigator?.locks ?? null;
}
