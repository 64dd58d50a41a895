/** As `start-worker.ts`, for a page in a single file that cannot fetch other files. */
import InlineWorker from './file.worker.ts?worker&inline';

/** Starts the worker of one file from a script inside the page. */
export function startWorker(): Worker {
  return new InlineWorker();
}
