/**
 * A worker that the browser ends says nothing. A lock of the platform does: the worker
 * holds it for as long as it lives, and the page waits for it.
 *
 * Where there are no locks (a page without a secure origin), silence tells, later.
 */

let lines = 0;

/** A name for the lock of one worker, that no other tab uses. */
export function livenessLockName(): string {
  lines++;
  return `btfscope-worker-${performance.timeOrigin}-${Math.random()}-${lines}`;
}

/** In the worker: holds the lock until the worker ends. */
export async function holdLivenessLock(name: string): Promise<boolean> {
  const locks = locksOf();
  if (locks === null) return false;
  return await new Promise<boolean>((resolve) => {
    const forever = new Promise<never>(() => undefined);
    const held = locks.request(name, () => {
      resolve(true);
      return forever;
    });
    held.catch(() => resolve(false));
  });
}

/** In the page, once the worker holds the lock: calls `onEnd` when the worker is gone, unless `signal` comes first. */
export function onLivenessLockFree(name: string, onEnd: () => void, signal: AbortSignal): void {
  locksOf()
    ?.request(name, { signal }, onEnd)
    // Aborted, or forbidden here: then silence tells.
    .catch(() => undefined);
}

function locksOf(): LockManager | null {
  // Both may be absent, whatever the types say: locks where the origin is not secure.
  const { navigator } = globalThis as { readonly navigator?: { readonly locks?: LockManager } };
  return navigator?.locks ?? null;
}
