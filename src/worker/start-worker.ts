/** Starts the worker of one file; the single-file page uses `start-worker-inline.ts` instead. */
import script from './file.worker.ts?worker&url';

/**
 * Returns a script that imports the worker's script, and queues messages until it runs. A dynamic
 * import: in Firefox, a service worker does not see static imports from a Blob.
 */
const starterOf = (address: string) => `const early = [];
onmessage = (event) => early.push(event);
import(${JSON.stringify(address)}).then(
  () => early.forEach((event) => onmessage(event)),
  (error) => setTimeout(() => { throw error; }),
);`;

let starter: string | null = null;

/**
 * Starts the worker of one file from a Blob that imports the built script. A Blob has the page's
 * content security policy, which then also applies to the import (HTML, "initialize a worker global
 * scope's policy container"). A fetched script would have the policy of its own response, and most
 * hosts send none.
 */
export function startWorker(): Worker {
  starter ??= URL.createObjectURL(
    new Blob([starterOf(new URL(script, location.href).href)], { type: 'text/javascript' }),
  );
  return new Worker(starter, { type: 'module' });
}
