/** A spare worker, started early: starting a worker takes longer than reading a kernel. */
import type { FromWorker, ToWorker } from './protocol.ts';
import { livenessLockName, onLivenessLockFree } from './stall-watchdog.ts';
import { startWorker } from './start-worker.ts';

let spare: Worker | null = null;
let line = new AbortController();

/** Starts a spare worker unless there is one. Call this when the page is idle. */
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
  worker.onerror = (event) => {
    // Whoever needs a worker starts another one, and hears of its error.
    event.preventDefault();
    forget();
  };
  worker.onmessage = ({ data }: MessageEvent<FromWorker>) => {
    if (data.kind === 'held' && data.lock === lock) onLivenessLockFree(lock, forget, signal);
  };
  worker.postMessage({ method: 'hold', lock } satisfies ToWorker);
}

/** Returns the spare worker, or a new worker if there is no spare. The caller then owns it. */
export function takeWorker(): Worker {
  const taken = spare ?? startWorker();
  line.abort();
  spare = null;
  return taken;
}
