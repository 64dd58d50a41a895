/** Longest delay in ms: a hidden page is never idle, so its work waits this long. */
const LATEST_MS = 2000;

/** Runs `work` when the page is idle; in Safari after 0.2 s. Returns a function that cancels it. */
export function whenIdle(work: () => void): () => void {
  if (typeof globalThis.requestIdleCallback === 'function') {
    const idle = requestIdleCallback(work, { timeout: LATEST_MS });
    return () => cancelIdleCallback(idle);
  }
  const timer = setTimeout(work, 200);
  return () => clearTimeout(timer);
}

export function idle(): Promise<void> {
  return new Promise((resolve) => whenIdle(resolve));
}
