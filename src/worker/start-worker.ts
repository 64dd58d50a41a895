/**
 * Starts the worker of one file. The build of a single page puts
 * `start-worker-inline.ts` in its place, which carries the worker's script.
 */
export function startWorker(): Worker {
  return new Worker(new URL('./file.worker.ts', import.meta.url), { type: 'module' });
}
