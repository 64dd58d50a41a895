/**
 * Keeps the page for work without network. The build writes into `KEPT` the files
 * of one version and a name for that version. Of one origin there may be several
 * builds (`/stable/`, `/beta/`), and pages of others: each worker keeps and answers
 * what its build lists, and leaves all other requests to the browser.
 */

// The build puts a JSON text in this place.
declare const BTFSCOPE_KEPT: { readonly version: string; readonly files: readonly string[] };

const { version, files } = BTFSCOPE_KEPT;
const scope = globalThis as unknown as ServiceWorkerGlobalScope;
/** No address has a space in it, so the prefix of one scope never begins that of another. */
const PREFIX = `btfscope ${scope.registration.scope} `;
const CACHE = `${PREFIX}${version}`;

const addressOf = (file: string) => new URL(file, scope.registration.scope).href;
const ASSETS = addressOf('assets/');
const kept = new Set(files.map(addressOf));

async function keep(): Promise<void> {
  const cache = await caches.open(CACHE);
  // Not from the browser's own cache: a file that kept its name may have changed.
  await cache.addAll([...kept].map((address) => new Request(address, { cache: 'no-cache' })));
}

/** The caches of this scope, oldest first. */
async function ownCaches(): Promise<string[]> {
  return (await caches.keys()).filter((name) => name.startsWith(PREFIX));
}

/** Deletes all versions but this one and the one before: other tabs may still show that. */
async function forgetOlder(): Promise<void> {
  const others = (await ownCaches()).filter((name) => name !== CACHE);
  for (const name of others.slice(0, -1)) await caches.delete(name);
  await scope.clients.claim();
}

/**
 * The kept file of an address: of this version, and where that has none, of the one before.
 * Names in `assets/` have a hash of their content, so parts of two versions never meet.
 */
async function answer(address: string, request: Request): Promise<Response> {
  const names = kept.has(address) ? [CACHE] : await ownCaches();
  for (const name of names) {
    const cache = await caches.open(name);
    // A server may vary by Origin, which a script tag sends and the one that kept the file does not.
    const found = await cache.match(address, { ignoreVary: true });
    if (found !== undefined) return found;
  }
  return fetch(request);
}

scope.addEventListener('install', (event) => event.waitUntil(keep()));
scope.addEventListener('activate', (event) => event.waitUntil(forgetOlder()));
scope.addEventListener('fetch', (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  const asked = `${origin}${pathname}`;
  const address = asked === scope.registration.scope ? addressOf('index.html') : asked;
  const isOurs = kept.has(address) || address.startsWith(ASSETS);
  if (request.method === 'GET' && isOurs) event.respondWith(answer(address, request));
});
// The page asks for it when the person does: until then the open page keeps its version.
scope.addEventListener('message', ({ data }) => {
  if (data === 'use-new-version') void scope.skipWaiting();
});
