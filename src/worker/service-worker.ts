/**
 * Keeps the page for work without network. The build writes into `KEPT` the files
 * of one version and a name for that version: all of a version come from one cache,
 * so that parts of two never meet. Nothing is fetched but what the build lists.
 */

// The build puts a JSON text in this place.
declare const BTFSCOPE_KEPT: { readonly version: string; readonly files: readonly string[] };

const scope = globalThis as unknown as ServiceWorkerGlobalScope;
const PREFIX = 'btfscope-';
const CACHE = `${PREFIX}${BTFSCOPE_KEPT.version}`;

const addressOf = (file: string) => new URL(file, scope.registration.scope).href;

async function keep(): Promise<void> {
  const cache = await caches.open(CACHE);
  // Not from the browser's own cache: a file that kept its name may have changed.
  await cache.addAll(
    BTFSCOPE_KEPT.files.map((file) => new Request(addressOf(file), { cache: 'no-cache' })),
  );
}

async function forgetOthers(): Promise<void> {
  for (const name of await caches.keys()) {
    if (name.startsWith(PREFIX) && name !== CACHE) await caches.delete(name);
  }
  await scope.clients.claim();
}

async function answer(request: Request): Promise<Response> {
  const cache = await caches.open(CACHE);
  const wanted = request.mode === 'navigate' ? addressOf('index.html') : request;
  // A server may vary by Origin, which a script tag sends and the one that kept the file does not.
  const found = await cache.match(wanted, { ignoreSearch: true, ignoreVary: true });
  return found ?? fetch(request);
}

scope.addEventListener('install', (event) => event.waitUntil(keep()));
scope.addEventListener('activate', (event) => event.waitUntil(forgetOthers()));
scope.addEventListener('fetch', (event) => {
  const { request } = event;
  const isOurs = request.method === 'GET' && request.url.startsWith(scope.registration.scope);
  if (isOurs) event.respondWith(answer(request));
});
// The page asks for it when the person does: until then the open page keeps its version.
scope.addEventListener('message', ({ data }) => {
  if (data === 'use-new-version') void scope.skipWaiting();
});
