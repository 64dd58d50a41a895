// Measures reading a file without a page. Uses a new thread per run, as the page uses a new worker
// per file.
import { Worker } from 'node:worker_threads';

/** Measures one `ingestBytes` of the input; adds the time, and the time per type. */
export async function measureIngest(modulePath, input, readMs, measured) {
  const { ms, types } = await inNewThread({ modulePath, name: input.name, path: input.path });
  measured.add('ingest', ms, readMs);
  if (types > 0) measured.add('ingestPerType', (ms * 1e6) / types);
  return types;
}

function inNewThread(workerData) {
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL('./ingest-worker.mjs', import.meta.url), { workerData });
    worker.on('message', resolve);
    worker.on('error', reject);
  });
}
