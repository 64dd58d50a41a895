import { expect, it, vi } from 'vitest';
import { FileClient, type Port } from './client.ts';
import { onLivenessLockFree } from './liveness-lock.ts';
import type { FromWorker, ToWorker } from './protocol.ts';

vi.mock('./liveness-lock.ts', () => ({
  livenessLockName: () => 'own lock',
  onLivenessLockFree: vi.fn(),
}));

it('follows the lock that the worker holds for it, and no other', () => {
  const told: ToWorker[] = [];
  const port: Port = {
    postMessage: (message: ToWorker) => void told.push(message),
    terminate: () => undefined,
    onmessage: null,
    onerror: null,
    onmessageerror: null,
  };
  const client = new FileClient(port);
  const hear = (data: FromWorker) => port.onmessage?.(new MessageEvent('message', { data }));

  expect(told).toEqual([{ method: 'hold', lock: 'own lock' }]);
  // The worker waited for a file before, and held another lock.
  hear({ kind: 'held', lock: 'of the spare worker' });
  expect(onLivenessLockFree).not.toHaveBeenCalled();
  hear({ kind: 'held', lock: 'own lock' });
  expect(onLivenessLockFree).toHaveBeenCalledOnce();
  client.close();
});
