/** Offline use: registers the service worker that keeps the page, and reports a new version. */
import { create } from 'zustand';
import { whenIdle } from '#store/page/when-idle.ts';

type Offline = {
  /** New version that waits for the person to load it. */
  readonly waiting: ServiceWorker | null;
};

export const useOffline = create<Offline>(() => ({ waiting: null }));

/** Registers the service worker once the page is idle. Does nothing for a page on disk and in old browsers. */
export function keepForOffline(): void {
  const isServed = window.location.protocol.startsWith('http');
  if (!import.meta.env.PROD || !isServed || !('serviceWorker' in navigator)) return;
  whenIdle(() => {
    // Private windows may forbid it; the page works without.
    navigator.serviceWorker.register('./service-worker.js').then(watch, () => undefined);
  });
}

/** Browsers under test that forbid service workers return no registration. */
function watch(registration: ServiceWorkerRegistration | undefined): void {
  if (registration === undefined) return;
  const tell = () => {
    // Only a page with an older version reports a new one.
    if (registration.waiting !== null && navigator.serviceWorker.controller !== null) {
      useOffline.setState({ waiting: registration.waiting });
    }
  };
  tell();
  registration.addEventListener('updatefound', () => {
    registration.installing?.addEventListener('statechange', tell);
  });
}

/** Reloads the page with the waiting version; another tab may have activated it already. */
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
