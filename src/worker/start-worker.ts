/** Starts the worker of one file; `start-worker-inline.ts` does in the build of a single page. */
import script from './file.worker.ts?worker&url';

/**
 * Returns a script that imports the worker's script and queues messages until it runs. Firefox does
 * not pass static imports from a Blob to a service worker.
 */
const starterOf = (address: string) => `const early = [];
onmessage = (event) => early.push(event);
import(${JSON.stringify(address)}).then(
  () => early.forEach((event) => onmessage(event)),
  (error) => setTimeout(() => { throw error; }),
);`;

let starter: string | null = null;

/**
 * Starts the worker of one file. A fetched worker script has the policy of its response, and most
 * hosts send none; a Blob script has the page's policy (HTML, "initialize a worker global scope's
 * policy container"). The script is therefore a Blob that imports the built script: the policy then
 * also binds its imports and requests.
 */
export function startWorker(): Worker {
  starter ??= URL.createObjectURL(
    new Blob([starterOf(new URL(script, location.href).href)], { type: 'text/javascript' }),
  );
  return new Worker(starter, { type: 'module' });
}
