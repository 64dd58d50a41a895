import { beforeEach, expect, it, vi } from 'vitest';
import { prepareWorker, takeWorker } from './spare-worker.ts';
import * as start from './start-worker.ts';

/** Fake worker with the members that these tests use. */
class FakeWorker {
  onerror: ((event: Event) => void) | null = null;
  onmessage: (() => void) | null = null;
  postMessage(): void {}
}

const started: FakeWorker[] = [];

beforeEach(() => {
  vi.spyOn(start, 'startWorker').mockImplementation(() => {
    const worker = new FakeWorker();
    started.push(worker);
    return worker as unknown as Worker;
  });
  // Removes a spare worker that the previous test may have left.
  takeWorker();
  started.length = 0;
});

it('gives the worker that was prepared, once', () => {
  prepareWorker();
  prepareWorker();
  expect(started).toHaveLength(1);
  expect(takeWorker()).toBe(started[0]);
  expect(takeWorker()).toBe(started[1]);
  expect(started).toHaveLength(2);
});

it('forgets one that failed while it waited, without an error of the page', () => {
  prepareWorker();
  const event = new Event('error', { cancelable: true });
  started[0]?.onerror?.(event);
  expect(event.defaultPrevented).toBe(true);
  expect(takeWorker()).toBe(started[1]);
});

it('starts one where none is prepared', () => {
  expect(takeWorker()).toBe(started[0]);
});
