/**
 * Starts the worker of one file. The build of a single page puts
 * `start-worker-inline.ts` in its place, which carries the worker's script.
 */
import script from './file.worker.ts?worker&url';

/**
 * Imports the script, with what is sent meanwhile kept for it. By `import()`: Firefox hands a
 * static import of a Blob's script to no service worker, so there is none without network.
 */
const starterOf = (address: string) => `const early = [];
onmessage = (event) => early.push(event);
import(${JSON.stringify(address)}).then(
  () => early.forEach((event) => onmessage(event)),
  (error) => setTimeout(() => { throw error; }),
);`;

let starter: string | null = null;

/**
 * Starts the worker of one file. A worker whose script was fetched has the policy of that
 * response, and most hosts send none; one whose script is a Blob has the page's policy
 * (HTML, "initialize a worker global scope's policy container"). So the script is a Blob
 * that imports the built one: the policy then binds its imports and requests, too.
 */
export function startWorker(): Worker {
  starter ??= URL.createObjectURL(
    new Blob([starterOf(new URL(script, location.href).href)], { type: 'text/javascript' }),
  );
  return new Worker(starter, { type: 'module' });
}
