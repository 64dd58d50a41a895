/**
 * Work without network: the service worker that keeps the page, and the word that
 * a new version of it has come.
 */
import { create } from 'zustand';
import { whenIdle } from '#store/page/when-idle.ts';

type Offline = {
  /** A version that waits until the person wants it. */
  readonly waiting: ServiceWorker | null;
};

export const useOffline = create<Offline>(() => ({ waiting: null }));

/** Keeps the built page for later, once it is idle. Does nothing where that cannot be: files on disk, old browsers. */
export function keepForOffline(): void {
  const isServed = window.location.protocol.startsWith('http');
  if (!import.meta.env.PROD || !isServed || !('serviceWorker' in navigator)) return;
  whenIdle(() => {
    // A browser may forbid it, as in a private window: the page works as before then.
    navigator.serviceWorker.register('./service-worker.js').then(watch, () => undefined);
  });
}

/** Browsers under test that forbid workers say so by no registration at all. */
function watch(registration: ServiceWorkerRegistration | undefined): void {
  if (registration === undefined) return;
  const tell = () => {
    // The first version waits for nothing: only a page that has one already is told.
    if (registration.waiting !== null && navigator.serviceWorker.controller !== null) {
      useOffline.setState({ waiting: registration.waiting });
    }
  };
  tell();
  registration.addEventListener('updatefound', () => {
    registration.installing?.addEventListener('statechange', tell);
  });
}

/** Loads the page anew with the version that waits; another tab may have begun to use it. */
export function takeNewVersion(): void {
  const { waiting } = useOffline.getState();
  const reload = () => window.location.reload();
  if (waiting === null || waiting.state !== 'installed') {
    reload();
    return;
  }
  navigator.serviceWorker.addEventListener('controllerchange', reload, { once: true });
  waiting.postMessage('use-new-version');
}
