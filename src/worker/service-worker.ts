/**
 * Caches the page for use without network. The build writes a version and its files into
 * `BTFSCOPE_KEPT`. An origin can have several builds (`/stable/`, `/beta/`) and other pages; each
 * service worker handles only the files of its own build.
 */

// The build replaces this name by a JSON text.
declare const BTFSCOPE_KEPT: { readonly version: string; readonly files: readonly string[] };

const { version, files } = BTFSCOPE_KEPT;
const scope = globalThis as unknown as ServiceWorkerGlobalScope;
/** Addresses contain no spaces: thanks to the last space no prefix begins with another one. */
const PREFIX = `btfscope ${scope.registration.scope} `;
const CACHE = `${PREFIX}${version}`;

const addressOf = (file: string) => new URL(file, scope.registration.scope).href;
const ASSETS = addressOf('assets/');
const cached = new Set(files.map(addressOf));

async function keep(): Promise<void> {
  const cache = await caches.open(CACHE);
  // Bypasses the browser's cache, in which an older file may have the same name.
  await cache.addAll([...cached].map((address) => new Request(address, { cache: 'no-cache' })));
}

/** Returns the names of the caches for this build's scope, oldest first. */
async function ownCaches(): Promise<string[]> {
  return (await caches.keys()).filter((name) => name.startsWith(PREFIX));
}

/** Deletes all versions except this one and the previous one, which open tabs may still use. */
async function forgetOlder(): Promise<void> {
  const others = (await ownCaches()).filter((name) => name !== CACHE);
  for (const name of others.slice(0, -1)) await caches.delete(name);
  await scope.clients.claim();
}

/** Returns the file from this version's cache, or else the previous version's. */
async function answer(address: string, request: Request): Promise<Response> {
  const names = cached.has(address) ? [CACHE] : await ownCaches();
  for (const name of names) {
    const cache = await caches.open(name);
    // Some servers vary by Origin, which script tags send and the caching request did not.
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
// A new version waits until the page sends a message: when the user asks for the update.
scope.addEventListener('message', ({ data }) => {
  if (data === 'use-new-version') void scope.skipWaiting();
});
