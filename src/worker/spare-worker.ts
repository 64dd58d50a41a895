/**
 * One worker that is ready before a file is: to start one takes longer than to read a
 * kernel. A spare that ends while it waits is forgotten.
 */
import { livenessLockName, onLivenessLockFree } from './liveness-lock.ts';
import type { FromWorker, ToWorker } from './protocol.ts';
import { startWorker } from './start-worker.ts';

let spare: Worker | null = null;
let line = new AbortController();

/** Starts a spare worker, unless there is one. To be called when the page has nothing better to do. */
export function prepareWorker(): void {
  if (spare !== null) return;
  const worker = startWorker();
  spare = worker;
  line = new AbortController();
  const { signal } = line;
  const lock = livenessLockName();
  const forget = () => {
    if (spare === worker) spare = null;
  };
  worker.onerror = forget;
  worker.onmessage = ({ data }: MessageEvent<FromWorker>) => {
    if (data.kind === 'held' && data.lock === lock) onLivenessLockFree(lock, forget, signal);
  };
  worker.postMessage({ method: 'hold', lock } satisfies ToWorker);
}

/** The spare worker, else one that is started now. It belongs to the caller. */
export function takeWorker(): Worker {
  const taken = spare ?? startWorker();
  line.abort();
  spare = null;
  return taken;
}
