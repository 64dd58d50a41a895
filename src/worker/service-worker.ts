/**
 * Caches the page for work without network. The build writes the files of one version and a name
 * for that version into `BTFSCOPE_KEPT`. One origin can have several builds (`/stable/`, `/beta/`)
 * and pages of others: each worker caches and serves the files of its own build, and leaves all
 * other requests to the browser.
 */

// The build replaces this name by a JSON text.
declare const BTFSCOPE_KEPT: { readonly version: string; readonly files: readonly string[] };

const { version, files } = BTFSCOPE_KEPT;
const scope = globalThis as unknown as ServiceWorkerGlobalScope;
/** Addresses have no spaces, so the prefix of one scope never begins the prefix of another. */
const PREFIX = `btfscope ${scope.registration.scope} `;
const CACHE = `${PREFIX}${version}`;

const addressOf = (file: string) => new URL(file, scope.registration.scope).href;
const ASSETS = addressOf('assets/');
const cached = new Set(files.map(addressOf));

async function keep(): Promise<void> {
  const cache = await caches.open(CACHE);
  // Not from the browser's own cache: a file may have changed under the same name.
  await cache.addAll([...cached].map((address) => new Request(address, { cache: 'no-cache' })));
}

/** Returns the names of this scope's caches, oldest first. */
async function ownCaches(): Promise<string[]> {
  return (await caches.keys()).filter((name) => name.startsWith(PREFIX));
}

/** Deletes all versions but this and the previous version, which other tabs may still show. */
async function forgetOlder(): Promise<void> {
  const others = (await ownCaches()).filter((name) => name !== CACHE);
  for (const name of others.slice(0, -1)) await caches.delete(name);
  await scope.clients.claim();
}

/** Returns the cached file: from this version, else the previous one. Names contain a hash. */
async function answer(address: string, request: Request): Promise<Response> {
  const names = cached.has(address) ? [CACHE] : await ownCaches();
  for (const name of names) {
    const cache = await caches.open(name);
    // A server may vary by Origin: a script tag sends Origin, the request that cached the file does
    // not.
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
  const isOurs = cached.has(address) || address.startsWith(ASSETS);
  if (request.method === 'GET' && isOurs) event.respondWith(answer(address, request));
});
// The page sends the message when a person asks for the update: until then the open page keeps its
// version.
scope.addEventListener('message', ({ data }) => {
  if (data === 'use-new-version') void scope.skipWaiting();
});
