import { describe, expect, it, vi } from 'vitest';
import { FileClient, type Port } from './client.ts';
import type { FromWorker, ToWorker } from './protocol.ts';

/** A worker that says what the test tells it to. */
function fakePort() {
  const sent: ToWorker[] = [];
  const port: Port = {
    postMessage: (message: unknown) => void sent.push(message as ToWorker),
    terminate: vi.fn(),
    onmessage: null,
    onerror: null,
    onmessageerror: null,
  };
  const answer = (data: FromWorker) => port.onmessage?.({ data } as MessageEvent<FromWorker>);
  return { port, sent, answer };
}

const bytes = { start: 0, end: 4 };

describe('FileClient', () => {
  it('settles each request with its own answer, whatever the order', async () => {
    const { port, sent, answer } = fakePort();
    const client = new FileClient(port);
    const first = client.call('sha256', null);
    const second = client.call('bytes', bytes);
    answer({ id: sent[1]?.id ?? 0, kind: 'ok', value: new Uint8Array([1]) });
    answer({ id: sent[0]?.id ?? 0, kind: 'ok', value: 'abc' });
    expect(await second).toEqual({ ok: true, value: new Uint8Array([1]) });
    expect(await first).toEqual({ ok: true, value: 'abc' });
  });

  it('hands progress on, and an answer to nobody is dropped', async () => {
    const { port, sent, answer } = fakePort();
    const client = new FileClient(port);
    const seen: number[] = [];
    const asked = client.call('sha256', null, { onProgress: (p) => seen.push(p.done) });
    const id = sent[0]?.id ?? 0;
    answer({ id, kind: 'progress', progress: { step: 'hashing', done: 1, total: 2 } });
    answer({ id: 99, kind: 'ok', value: 'nobody' });
    answer({ id, kind: 'ok', value: 'abc' });
    await asked;
    answer({ id, kind: 'progress', progress: { step: 'hashing', done: 2, total: 2 } });
    expect(seen).toEqual([1]);
  });

  it('tells the worker to stop, and waits for what it says', async () => {
    const { port, sent, answer } = fakePort();
    const client = new FileClient(port);
    const controller = new AbortController();
    const asked = client.call('sha256', null, { signal: controller.signal });
    controller.abort();
    expect(sent[1]).toEqual({ id: sent[0]?.id, method: 'cancel' });
    const issue = {
      severity: 'note',
      code: 'request.cancelled',
      message: 'cancelled',
      span: null,
      region: '',
    } as const;
    answer({ id: sent[0]?.id ?? 0, kind: 'failed', issue });
    expect(await asked).toEqual({ ok: false, issue });
  });

  it.each([
    ['dies', (port: Port) => port.onerror?.({ message: 'boom' } as ErrorEvent), 'worker.died'],
    [
      'says what cannot be read',
      (port: Port) => port.onmessageerror?.({} as MessageEvent),
      'worker.died',
    ],
    ['is closed', (_port: Port, client: FileClient) => client.close(), 'request.cancelled'],
  ])('settles everything when the worker %s, and all that is asked later', async (_, end, code) => {
    const { port } = fakePort();
    const client = new FileClient(port);
    const asked = [client.call('sha256', null), client.call('bytes', bytes)];
    end(port, client);
    for (const outcome of [...(await Promise.all(asked)), await client.call('sha256', null)]) {
      expect(outcome).toMatchObject({ ok: false, issue: { code } });
    }
    expect(port.terminate).toHaveBeenCalledOnce();
  });
});
