/** Replaces `start-worker.ts` in the single-file page, which cannot fetch other files. */
import InlineWorker from './file.worker.ts?worker&inline';

/** Starts the worker of one file from a script that is embedded in the page. */
export function startWorker(): Worker {
  return new InlineWorker();
}
