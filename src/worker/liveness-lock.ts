/**
 * Detects the end of a worker with a lock. A worker that the browser ends sends no message, but the
 * browser releases its locks: the worker holds a lock for as long as it lives, and the page waits
 * for the lock.
 *
 * Without locks (an origin that is not secure) the page detects the end later, by silence.
 */

let lines = 0;

/** Returns a name for the lock of one worker that no other tab uses. */
export function livenessLockName(): string {
  lines++;
  return `btfscope-worker-${performance.timeOrigin}-${Math.random()}-${lines}`;
}

/** Holds the lock until the worker ends. Runs in the worker. */
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

/** Calls `onEnd` when the worker, which holds the lock, has ended, unless `signal` aborts first. */
export function onLivenessLockFree(name: string, onEnd: () => void, signal: AbortSignal): void {
  locksOf()
    ?.request(name, { signal }, onEnd)
    // Aborted, or locks are forbidden: the page detects the end by silence.
    .catch(() => undefined);
}

function locksOf(): LockManager | null {
  // Both can be absent despite their types: an origin that is not secure has no locks.
  const { navigator } = globalThis as { readonly navigator?: { readonly locks?: LockManager } };
  return navigator?.locks ?? null;
}
