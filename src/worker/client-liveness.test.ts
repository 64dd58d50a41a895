import { expect, it, vi } from 'vitest';
import { FileClient, type Port } from './client.ts';
import type { FromWorker, ToWorker } from './protocol.ts';
import * as livenessLock from './stall-watchdog.ts';

it('follows the lock that the worker holds for it, and no other', () => {
  vi.spyOn(livenessLock, 'livenessLockName').mockReturnValue('own lock');
  const onLivenessLockFree = vi.spyOn(livenessLock, 'onLivenessLockFree').mockReturnValue();
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
  // A message about a lock that the worker was given while it was the spare worker.
  hear({ kind: 'held', lock: 'of the spare worker' });
  expect(onLivenessLockFree).not.toHaveBeenCalled();
  hear({ kind: 'held', lock: 'own lock' });
  expect(onLivenessLockFree).toHaveBeenCalledOnce();
  client.close();
});
