/**
 * The page's end of a file's worker: a promise for each request that always
 * settles, also when the worker fails, is ended, or answers what cannot be read.
 */
import type { Issue } from '#bytes/issue.ts';
import type { Progress } from '#bytes/progress.ts';
import type { FromWorker, Method, Methods, ToWorker } from './protocol.ts';
import { CANCELLED } from './protocol.ts';
import { startWorker } from './start-worker.ts';

/** How a request went. A failure is a value: every caller has to look at it. */
export type Outcome<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly issue: Issue };

export type CallOptions = {
  readonly signal?: AbortSignal;
  readonly onProgress?: (progress: Progress) => void;
};

/** The part of `Worker` that the client needs; tests give their own. */
export type Port = Pick<Worker, 'postMessage' | 'terminate'> & {
  onmessage: ((event: MessageEvent<FromWorker>) => void) | null;
  onerror: ((event: ErrorEvent) => void) | null;
  onmessageerror: ((event: MessageEvent) => void) | null;
};

type Pending = {
  readonly settle: (outcome: Outcome<unknown>) => void;
  readonly onProgress: ((progress: Progress) => void) | undefined;
};

export class FileClient {
  readonly #port: Port;
  readonly #pending = new Map<number, Pending>();
  #nextId = 1;
  /** Set once the worker is gone; later requests fail with it at once. */
  #gone: Issue | null = null;

  constructor(port: Port) {
    this.#port = port;
    port.onmessage = (event) => this.#receive(event.data);
    port.onerror = (event) => this.#end(died(event.message));
    port.onmessageerror = () => this.#end(died('a message that cannot be read'));
  }

  /** Asks the worker. Settles always; never rejects. */
  call<M extends Method>(
    method: M,
    params: Methods[M]['params'],
    options: CallOptions = {},
  ): Promise<Outcome<Methods[M]['result']>> {
    if (this.#gone !== null) return Promise.resolve({ ok: false, issue: this.#gone });
    if (options.signal?.aborted) return Promise.resolve({ ok: false, issue: CANCELLED });
    const id = this.#nextId++;
    return new Promise((resolve) => {
      const onAbort = () => this.#port.postMessage({ id, method: 'cancel' } satisfies ToWorker);
      options.signal?.addEventListener('abort', onAbort, { once: true });
      this.#pending.set(id, {
        settle: (outcome) => {
          options.signal?.removeEventListener('abort', onAbort);
          resolve(outcome as Outcome<Methods[M]['result']>);
        },
        onProgress: options.onProgress,
      });
      this.#port.postMessage({ id, method, params } as ToWorker);
    });
  }

  /** Ends the worker and frees what it held; what is still asked settles as cancelled. */
  close(): void {
    this.#end(CANCELLED);
  }

  #receive(message: FromWorker): void {
    const pending = this.#pending.get(message.id);
    if (pending === undefined) return;
    if (message.kind === 'progress') {
      pending.onProgress?.(message.progress);
      return;
    }
    this.#pending.delete(message.id);
    pending.settle(
      message.kind === 'ok'
        ? { ok: true, value: message.value }
        : { ok: false, issue: message.issue },
    );
  }

  #end(issue: Issue): void {
    if (this.#gone !== null) return;
    this.#gone = issue;
    this.#port.terminate();
    for (const pending of this.#pending.values()) pending.settle({ ok: false, issue });
    this.#pending.clear();
  }
}

function died(how: string): Issue {
  return {
    severity: 'error',
    code: 'worker.died',
    message: `The worker of this file stopped: ${how || 'no reason given'}`,
    span: null,
    region: '',
    advice: 'Open the file again. If it happens twice, please report it.',
  };
}

/** Starts a worker for one file. */
export function startFileClient(): FileClient {
  return new FileClient(startWorker() as Port);
}
