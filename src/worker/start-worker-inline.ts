/** As `start-worker.ts`, for a page that is one file and has nothing beside it to fetch. */
import InlineWorker from './file.worker.ts?worker&inline';

/** Starts the worker of one file from a script that the page carries. */
export function startWorker(): Worker {
  return new InlineWorker();
}
