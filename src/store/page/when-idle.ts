/** What can wait until the page has nothing better to do; a page out of sight, which is never idle, does it after a while. */
const LATEST_MS = 2000;

/** Runs `work` when the page has nothing better to do; gives back what calls it off. Safari has no idle callbacks: there it waits a moment. */
export function whenIdle(work: () => void): () => void {
  if (typeof globalThis.requestIdleCallback === 'function') {
    const idle = requestIdleCallback(work, { timeout: LATEST_MS });
    return () => cancelIdleCallback(idle);
  }
  const timer = setTimeout(work, 200);
  return () => clearTimeout(timer);
}

/** Resolves when the page has nothing better to do. */
export function idle(): Promise<void> {
  return new Promise((resolve) => whenIdle(resolve));
}
