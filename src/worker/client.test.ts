import { afterEach, describe, expect, it, vi } from 'vitest';
import { FileClient, type Port } from './client.ts';
import type { Cancel, FromWorker, Request, ToWorker } from './protocol.ts';

/** Returns a fake worker. The test sends its messages; `sent` lists what the client has sent. */
function fakePort() {
  const sent: (Request | Cancel)[] = [];
  let pings = 0;
  const port: Port = {
    postMessage: (message: ToWorker) => {
      if (message.method === 'ping') pings++;
      else if (message.method !== 'hold' && message.method !== 'range') sent.push(message);
    },
    terminate: vi.fn(),
    onmessage: null,
    onerror: null,
    onmessageerror: null,
  };
  const answer = (data: FromWorker) => port.onmessage?.({ data } as MessageEvent<FromWorker>);
  return { port, sent, answer, pings: () => pings };
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

  it('forwards progress, and drops an unexpected answer', async () => {
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

  it('sends the cancellation to the worker, and waits for its answer', async () => {
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

describe('FileClient, when a worker is lost', () => {
  afterEach(() => void vi.useRealTimers());

  const watch = { tick: 1000, patience: 3 };
  const opening = { name: 'a.o', file: new Blob() };

  /** Returns a client with an open file; `ports` lists the workers started to replace lost ones. */
  async function opened() {
    const ports = [fakePort()];
    const first = ports[0] ?? fakePort();
    const losses: string[] = [];
    const client = new FileClient(first.port, {
      startAgain: () => {
        const next = fakePort();
        ports.push(next);
        return next.port;
      },
      onLost: ({ message }) => losses.push(message),
      watch,
    });
    const asked = client.call('open', opening);
    first.answer({
      id: first.sent[0]?.id ?? 0,
      kind: 'ok',
      value: { kind: 'object', model: null },
    });
    await asked;
    return { client, ports, losses, first };
  }

  const begin = ({ sent, answer }: ReturnType<typeof fakePort>, n: number) =>
    answer({ id: sent[n]?.id ?? 0, kind: 'begun' });
  const say = ({ sent, answer }: ReturnType<typeof fakePort>, n: number, value: unknown) =>
    answer({ id: sent[n]?.id ?? 0, kind: 'ok', value });
  const methods = (port: ReturnType<typeof fakePort> | undefined) =>
    port?.sent.map(({ method }) => method);

  it('sends pending requests of a crashed worker to another one', async () => {
    const { client, ports, first, losses } = await opened();
    const hash = client.call('sha256', null);
    const some = client.call('bytes', bytes);
    begin(first, 1);
    first.port.onerror?.({ message: 'boom' } as ErrorEvent);
    const second = ports[1] ?? fakePort();
    expect(methods(second)).toEqual(['open']);
    say(second, 0, { kind: 'object', model: null });
    await vi.waitFor(() => expect(methods(second)).toEqual(['open', 'sha256', 'bytes']));
    say(second, 1, 'abc');
    say(second, 2, new Uint8Array(4));
    expect(await hash).toEqual({ ok: true, value: 'abc' });
    expect((await some).ok).toBe(true);
    expect(losses).toEqual(['The worker of this file stopped during file hashing: boom']);
    expect(first.port.terminate).toHaveBeenCalledOnce();
  });

  it('puts the file on its base again before anything else', async () => {
    const { client, ports, first } = await opened();
    const based = client.call('setBase', { base: null });
    say(first, 1, { kind: 'read', model: null });
    await based;
    const hash = client.call('sha256', null);
    first.port.onerror?.({ message: '' } as ErrorEvent);
    const second = ports[1] ?? fakePort();
    say(second, 0, { kind: 'object', model: null });
    await vi.waitFor(() => expect(methods(second)).toEqual(['open', 'setBase']));
    say(second, 1, { kind: 'read', model: null });
    await vi.waitFor(() => expect(methods(second)).toEqual(['open', 'setBase', 'sha256']));
    say(second, 2, 'abc');
    expect((await hash).ok).toBe(true);
  });

  it('fails what two workers died over, and only that', async () => {
    const { client, ports, first } = await opened();
    const deadly = client.call('findings', null);
    const harmless = client.call('sha256', null);
    begin(first, 1);
    first.port.onerror?.({ message: 'boom' } as ErrorEvent);
    const second = ports[1] ?? fakePort();
    say(second, 0, { kind: 'object', model: null });
    await vi.waitFor(() => expect(second.sent).toHaveLength(3));
    begin(second, 1);
    second.port.onerror?.({ message: 'boom' } as ErrorEvent);
    expect(await deadly).toMatchObject({ ok: false, issue: { code: 'worker.died' } });
    const third = ports[2] ?? fakePort();
    say(third, 0, { kind: 'object', model: null });
    await vi.waitFor(() => expect(methods(third)).toEqual(['open', 'sha256']));
    say(third, 1, 'abc');
    expect(await harmless).toEqual({ ok: true, value: 'abc' });
  });

  it('gives a file up that kills every worker', async () => {
    const { client, ports } = await opened();
    const asked = client.call('sha256', null);
    for (let i = 0; i < ports.length; i++) {
      ports[i]?.port.onerror?.({ message: 'boom' } as ErrorEvent);
    }
    expect(ports).toHaveLength(4);
    expect(await asked).toMatchObject({ ok: false, issue: { code: 'worker.died' } });
    expect(await client.call('sha256', null)).toMatchObject({ ok: false });
  });

  it('ends a silent worker, reports its step, and continues', async () => {
    vi.useFakeTimers();
    const { client, ports, first, losses } = await opened();
    const stuck = client.call('findings', null);
    const waiting = client.call('sha256', null);
    begin(first, 1);
    const progress = { step: 'code', done: 1, total: 2 };
    first.answer({ id: first.sent[1]?.id ?? 0, kind: 'progress', progress });
    await vi.advanceTimersByTimeAsync(watch.tick * watch.patience);
    expect(first.pings()).toBe(watch.patience);
    expect(losses).toEqual([]);
    await vi.advanceTimersByTimeAsync(watch.tick);
    expect(await stuck).toMatchObject({ ok: false, issue: { code: 'worker.stuck' } });
    expect(losses).toEqual([
      'The worker of this file did not answer for 3 seconds during linting (code) and was ended',
    ]);
    const second = ports[1] ?? fakePort();
    say(second, 0, { kind: 'object', model: null });
    await vi.advanceTimersByTimeAsync(0);
    say(second, 1, 'abc');
    expect(await waiting).toEqual({ ok: true, value: 'abc' });
  });

  it('waits as long as it takes for a worker that is alive', async () => {
    vi.useFakeTimers();
    const { client, first, losses } = await opened();
    const slow = client.call('findings', null);
    for (let i = 0; i < 100; i++) {
      await vi.advanceTimersByTimeAsync(watch.tick);
      first.answer({ kind: 'alive' });
    }
    say(first, 1, []);
    expect(await slow).toEqual({ ok: true, value: [] });
    expect(losses).toEqual([]);
    const asked = first.pings();
    await vi.advanceTimersByTimeAsync(watch.tick * 100);
    expect(first.pings()).toBe(asked);
  });

  /** Returns what `opened` returns, but the first worker is still opening the file. */
  function unopened() {
    const ports = [fakePort()];
    const losses: string[] = [];
    const startAgain = () => {
      const next = fakePort();
      ports.push(next);
      return next.port;
    };
    const first = ports[0] ?? fakePort();
    const onLost = ({ message }: { message: string }) => losses.push(message);
    const client = new FileClient(first.port, { startAgain, onLost, watch });
    return { ports, first, losses, asked: client.call('open', opening) };
  }

  it.each([true, false])(
    'opens a file once more when the worker dies, begun: %s',
    async (isBegun) => {
      const { ports, first, losses, asked } = unopened();
      if (isBegun) begin(first, 0);
      first.port.onerror?.({ message: 'boom' } as ErrorEvent);
      const second = ports[1] ?? fakePort();
      await vi.waitFor(() => expect(methods(second)).toEqual(['open']));
      say(second, 0, { kind: 'object', model: null });
      expect(await asked).toMatchObject({ ok: true });
      expect(losses).toHaveLength(1);
    },
  );

  it.each([true, false])('refuses a file that ends two workers, begun: %s', async (isBegun) => {
    const { ports, asked } = unopened();
    for (let i = 0; i < ports.length; i++) {
      const port = ports[i] ?? fakePort();
      await vi.waitFor(() => expect(methods(port)).toEqual(['open']));
      if (isBegun) begin(port, 0);
      port.port.onerror?.({ message: 'boom' } as ErrorEvent);
    }
    expect(await asked).toMatchObject({ ok: false, issue: { code: 'worker.died' } });
    expect(ports).toHaveLength(2);
  });

  it('does not open a file again over which the worker hung', async () => {
    vi.useFakeTimers();
    const { ports, first, asked } = unopened();
    begin(first, 0);
    await vi.advanceTimersByTimeAsync(watch.tick * (watch.patience + 1));
    expect(await asked).toMatchObject({ ok: false, issue: { code: 'worker.stuck' } });
    expect(ports).toHaveLength(1);
  });

  it('cancels what waits for the new worker', async () => {
    const { client, first } = await opened();
    const controller = new AbortController();
    first.port.onerror?.({ message: 'boom' } as ErrorEvent);
    const asked = client.call('sha256', null, { signal: controller.signal });
    controller.abort();
    expect(await asked).toMatchObject({ ok: false, issue: { code: 'request.cancelled' } });
  });
});
