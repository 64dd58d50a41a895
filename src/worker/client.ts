/** The page's side of a file's worker. Every request settles; a lost worker is replaced. */
import type { Issue } from '#bytes/issue.ts';
import type { Progress } from '#bytes/long-work.ts';
import type { FromWorker, Method, Methods, Request, ToWorker } from './protocol.ts';
import { CANCELLED } from './protocol.ts';
import { takeWorker } from './spare-worker.ts';
import {
  diedIssue,
  livenessLockName,
  onLivenessLockFree,
  PATIENT,
  patienceSeconds,
  STUCK,
  type StallOptions,
  StallWatchdog,
  stepText,
  stuckIssue,
} from './stall-watchdog.ts';

/** Result of a request. Failures are values, so that no caller can ignore them. */
export type Outcome<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly issue: Issue };

export type CallOptions = {
  readonly signal?: AbortSignal;
  readonly onProgress?: (progress: Progress) => void;
};

/** Part of `Worker` that the client uses; tests replace it. */
export type Port = Pick<Worker, 'postMessage' | 'terminate'> & {
  onmessage: ((event: MessageEvent<FromWorker>) => void) | null;
  onerror: ((event: ErrorEvent) => void) | null;
  onmessageerror: ((event: MessageEvent) => void) | null;
};

type Wanted = Extract<FromWorker, { readonly kind: 'range' }>;

type Pending = {
  readonly request: Request;
  readonly settle: (outcome: Outcome<unknown>) => void;
  readonly onProgress: ((progress: Progress) => void) | undefined;
  isBegun: boolean;
  isSuspect: boolean;
  /** Step of the request that the worker has reported last; null before the first report. */
  step: string | null;
};

export type ClientOptions = {
  /** Starts a worker after a loss. Without this function the client gives up at the first loss. */
  readonly startAgain?: () => Port;
  /** Called when a lost worker has been replaced; `issue` is the reason of the loss. */
  readonly onLost?: (issue: Issue) => void;
  readonly watch?: StallOptions;
  /** Reads the file if it is on the page's server, where the worker cannot read. */
  readonly remote?: RemoteReader;
};

/** File on the page's server. `read` rejects with an `Error`. */
export type RemoteReader = {
  readonly size: number;
  read(start: number, end: number): Promise<Uint8Array>;
};

/** Number of lost workers that the client replaces before it gives up the file. */
const MAX_LOSSES = 3;

export class FileClient {
  readonly #options: ClientOptions;
  readonly #watch: StallWatchdog;
  readonly #pending = new Map<number, Pending>();
  /** Requests that a replacement worker must repeat to reach the same state, in order. */
  readonly #shaped = new Map<Method, Request>();
  #port: Port;
  #lock = '';
  #line = new AbortController();
  #nextId = 1;
  #losses = 0;
  /** True while a replacement worker opens the file; other requests wait. */
  #isRestoring = false;
  /** Issue with which all requests fail once the worker has ended for good; before that null. */
  #gone: Issue | null = null;

  constructor(port: Port, options: ClientOptions = {}) {
    this.#options = options;
    const { watch = PATIENT } = options;
    this.#watch = new StallWatchdog(
      watch,
      () => this.#port.postMessage({ method: 'ping' } satisfies ToWorker),
      () => this.#lose(stuckIssue(patienceSeconds(watch), this.#stepNow())),
    );
    this.#port = port;
    this.#connect(port);
  }

  /** Sends a request to the worker. The result always settles and never rejects. */
  call<M extends Method>(
    method: M,
    params: Methods[M]['params'],
    options: CallOptions = {},
  ): Promise<Outcome<Methods[M]['result']>> {
    if (this.#gone !== null) return Promise.resolve({ ok: false, issue: this.#gone });
    if (options.signal?.aborted) return Promise.resolve({ ok: false, issue: CANCELLED });
    const id = this.#nextId++;
    return new Promise((resolve) => {
      const onAbort = () => this.#cancel(id);
      options.signal?.addEventListener('abort', onAbort, { once: true });
      const request = { id, method, params } as Request;
      this.#ask({
        request,
        settle: (outcome) => {
          options.signal?.removeEventListener('abort', onAbort);
          if (outcome.ok && isShaping(method, outcome.value)) {
            // Moves it to the end: a replacement worker uses the order of the map.
            if (method !== 'open') this.#shaped.delete(method);
            this.#shaped.set(method, request);
          }
          resolve(outcome as Outcome<Methods[M]['result']>);
        },
        onProgress: options.onProgress,
        isBegun: false,
        isSuspect: false,
        step: null,
      });
    });
  }

  /** Ends the worker and frees its memory; pending requests settle as cancelled. */
  close(): void {
    this.#end(CANCELLED);
  }

  #connect(port: Port): void {
    this.#port = port;
    port.onmessage = (event) => this.#receive(event.data);
    port.onerror = (event) => this.#lose(diedIssue(event.message, this.#stepNow()));
    port.onmessageerror = () => this.#lose(diedIssue('an unreadable message', null));
    this.#line = new AbortController();
    this.#lock = livenessLockName();
    port.postMessage({ method: 'hold', lock: this.#lock } satisfies ToWorker);
  }

  #ask(pending: Pending): void {
    this.#pending.set(pending.request.id, pending);
    if (this.#isRestoring) return;
    this.#port.postMessage(pending.request);
    this.#watch.begin();
  }

  #cancel(id: number): void {
    const pending = this.#pending.get(id);
    if (pending === undefined) return;
    if (this.#isRestoring) this.#settle(pending, { ok: false, issue: CANCELLED });
    else this.#port.postMessage({ id, method: 'cancel' } satisfies ToWorker);
  }

  #receive(message: FromWorker): void {
    this.#watch.heard();
    if (message.kind === 'alive') return;
    if (message.kind === 'held') {
      // A spare worker may also report the lock that it held before; that message is ignored.
      if (message.lock !== this.#lock) return;
      const gone = () => this.#lose(diedIssue('it was ended', this.#stepNow()));
      onLivenessLockFree(this.#lock, gone, this.#line.signal);
      return;
    }
    if (message.kind === 'range') {
      void this.#readFor(this.#port, message);
      return;
    }
    const pending = this.#pending.get(message.id);
    if (pending === undefined) return;
    switch (message.kind) {
      case 'begun':
        pending.isBegun = true;
        return;
      case 'progress':
        pending.step = message.progress.step;
        pending.onProgress?.(message.progress);
        return;
      case 'ok':
        this.#settle(pending, { ok: true, value: message.value });
        return;
      case 'failed':
        this.#settle(pending, { ok: false, issue: message.issue });
    }
  }

  async #readFor(port: Port, { id, start, end }: Wanted): Promise<void> {
    let bytes: Uint8Array | null = null;
    let why = 'there is no such file';
    try {
      bytes = (await this.#options.remote?.read(start, end)) ?? null;
    } catch (error) {
      why = error instanceof Error ? error.message : String(error);
    }
    port.postMessage({ method: 'range', id, bytes, why } satisfies ToWorker);
  }

  #settle(pending: Pending, outcome: Outcome<unknown>): void {
    this.#pending.delete(pending.request.id);
    if (this.#pending.size === 0) this.#watch.rest();
    pending.settle(outcome);
  }

  /** Returns the last step of the newest request that the worker has begun; null for none. */
  #stepNow(): string | null {
    const last = [...this.#pending.values()].findLast(({ isBegun }) => isBegun);
    return last === undefined ? null : stepText(last.request.method, last.step);
  }

  /**
   * Replaces a lost worker and sends it the pending requests. A request that had begun may be the
   * cause of the loss: it fails if the worker hung, or if two workers died while it ran. A file
   * that was not open yet is opened once more.
   */
  #lose(issue: Issue): void {
    if (this.#gone !== null) return;
    const { startAgain, onLost } = this.#options;
    this.#losses++;
    const isOpen = this.#shaped.has('open');
    const isBlamed = ({ isBegun, isSuspect }: Pending) =>
      isSuspect || (isBegun && issue.code === STUCK);
    const all = [...this.#pending.values()];
    const isHopeless =
      this.#losses > MAX_LOSSES ||
      (!isOpen && !all.some((one) => one.request.method === 'open' && !isBlamed(one)));
    if (startAgain === undefined || isHopeless) {
      this.#end(issue);
      return;
    }
    this.#disconnect();
    for (const pending of all) {
      if (isOpen && !pending.isBegun) continue;
      if (isBlamed(pending)) this.#settle(pending, { ok: false, issue });
      pending.isBegun = false;
      pending.isSuspect = true;
    }
    this.#isRestoring = true;
    this.#connect(startAgain());
    onLost?.(issue);
    void this.#restore(this.#port);
  }

  /** Repeats the requests that set the worker's state, then sends the pending requests. */
  async #restore(port: Port): Promise<void> {
    for (const request of [...this.#shaped.values()]) {
      const outcome = await this.#askToShape(request);
      if (this.#port !== port || this.#gone !== null) return;
      if (!outcome.ok) {
        this.#end(outcome.issue);
        return;
      }
    }
    this.#isRestoring = false;
    for (const { request } of this.#pending.values()) port.postMessage(request);
    if (this.#pending.size > 0) this.#watch.begin();
  }

  #askToShape({ method, params }: Request): Promise<Outcome<unknown>> {
    const request = { id: this.#nextId++, method, params } as Request;
    return new Promise((settle) => {
      this.#pending.set(request.id, {
        request,
        settle,
        onProgress: undefined,
        isBegun: true,
        isSuspect: true,
        step: null,
      });
      this.#port.postMessage(request);
      this.#watch.begin();
    });
  }

  #disconnect(): void {
    this.#watch.rest();
    this.#line.abort();
    this.#port.onmessage = null;
    this.#port.onerror = null;
    this.#port.onmessageerror = null;
    this.#port.terminate();
  }

  #end(issue: Issue): void {
    if (this.#gone !== null) return;
    this.#gone = issue;
    this.#disconnect();
    for (const pending of this.#pending.values()) pending.settle({ ok: false, issue });
    this.#pending.clear();
  }
}

/** Returns true if a replacement worker must repeat the request to reach the same state. */
function isShaping(method: Method, value: unknown): boolean {
  // Declarations that do not compile leave the worker's state unchanged.
  if (method === 'open' || method === 'useKernel') return true;
  if (method === 'declare') return (value as Methods['declare']['result']).model !== null;
  const reads = method === 'setBase' || method === 'setDebugFile';
  return reads && (value as Methods['setBase' | 'setDebugFile']['result']).kind === 'read';
}

/** Starts a worker for one file. Calls `onLost` each time a lost worker was replaced. */
export function startFileClient(
  onLost: (issue: Issue) => void,
  remote: RemoteReader | null = null,
): FileClient {
  const startAgain = () => takeWorker() as Port;
  return new FileClient(startAgain(), { startAgain, onLost, ...(remote && { remote }) });
}
