/** Offline use: registers the service worker that stores the page, and reports new versions. */
import { create } from 'zustand';
import { whenIdle } from '#store/page/when-idle.ts';

type Offline = {
  /** New version of the page, which starts when the user reloads; null if there is none. */
  readonly waiting: ServiceWorker | null;
};

export const useOffline = create<Offline>(() => ({ waiting: null }));

/** Registers the service worker once the page is idle. Does nothing in old browsers. */
export function keepForOffline(): void {
  const isServed = window.location.protocol.startsWith('http');
  if (!import.meta.env.PROD || !isServed || !('serviceWorker' in navigator)) return;
  whenIdle(() => {
    // Private windows may forbid service workers; the page works without one.
    navigator.serviceWorker.register('./service-worker.js').then(watch, () => undefined);
  });
}

/** Browsers under test that forbid service workers return no registration. */
function watch(registration: ServiceWorkerRegistration | undefined): void {
  if (registration === undefined) return;
  const tell = () => {
    // Without a controlling version, the waiting version is the first, not an update.
    if (registration.waiting !== null && navigator.serviceWorker.controller !== null) {
      useOffline.setState({ waiting: registration.waiting });
    }
  };
  tell();
  registration.addEventListener('updatefound', () => {
    registration.installing?.addEventListener('statechange', tell);
  });
}

/** Activates the waiting version, if no other tab has done so, and reloads the page. */
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
