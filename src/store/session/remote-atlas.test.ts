import { afterEach, expect, it, vi } from 'vitest';
import { remoteFile } from './remote-atlas.ts';

const URL_OF_ATLAS = new URL('http://localhost/kernels.atlas');
const SIZE = 0x30000;

afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

type Answer = {
  readonly body?: BodyInit;
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
};

/** Serves zeros in ranges. `lie` returns what differs from a true answer. */
function serve(lie: () => Answer) {
  const signals: AbortSignal[] = [];
  vi.stubGlobal('fetch', async (_: URL, init: RequestInit) => {
    const range = new Headers(init.headers).get('range') ?? '';
    const [, first = 0, last = 0] = (/^bytes=(\d+)-(\d+)$/.exec(range) ?? []).map(Number);
    const end = Math.min(last + 1, SIZE);
    const { body, status = 206, headers } = lie();
    if (init.signal) signals.push(init.signal);
    return new Response(body ?? new Uint8Array(end - first), {
      status,
      headers: { 'content-range': `bytes ${first}-${end - 1}/${SIZE}`, ...headers },
    });
  });
  return signals;
}

const endless = () =>
  new ReadableStream({
    pull: (controller) => controller.enqueue(new Uint8Array(0x10000)),
  });

it('reads the ranges of a server that answers as asked', async () => {
  serve(() => ({ headers: { etag: '"a"' } }));
  const file = await remoteFile(URL_OF_ATLAS, 'key');
  expect(file.size).toBe(SIZE);
  expect(await file.read(0x20000, 0x20010)).toEqual(new Uint8Array(16));
});

it.each<[string, Answer, string]>([
  ['another start', { headers: { 'content-range': `bytes 1-16/${SIZE}` } }, 'another range'],
  ['no Content-Range', { headers: { 'content-range': '' } }, 'another range'],
  ['no size', { headers: { 'content-range': 'bytes 131072-131087/*' } }, 'another range'],
  [
    'a size above 2^53',
    { headers: { 'content-range': 'bytes 131072-131087/99999999999999999999' } },
    'another range',
  ],
  ['a shorter body', { body: new Uint8Array(15) }, 'another range'],
  ['a longer body', { body: new Uint8Array(17) }, 'another range'],
  ['an endless body', { body: endless() }, 'another range'],
  ['the whole file', { status: 200 }, 'only as a whole'],
  ['an endless whole file', { status: 200, body: endless() }, 'only as a whole'],
  ['another size', { headers: { 'content-range': 'bytes 131072-131087/196609' } }, 'was changed'],
  ['another ETag', { headers: { etag: '"b"' } }, 'was changed'],
  ['another date', { headers: { 'last-modified': 'Thu, 01 Jan 1970' } }, 'was changed'],
  ['an error', { status: 416 }, 'answered 416'],
])('refuses %s', async (_, answer, message) => {
  serve(() => ({ headers: { etag: '"a"' } }));
  const file = await remoteFile(URL_OF_ATLAS, 'key');
  const headers = { etag: '"a"', ...answer.headers };
  const signals = serve(() => ({ ...answer, headers }));
  await expect(file.read(0x20000, 0x20010)).rejects.toThrow(message);
  // The rest of an answer is not received.
  expect(signals.every(({ aborted }) => aborted)).toBe(true);
});

it('ends an answer that takes too long', async () => {
  vi.useFakeTimers();
  vi.stubGlobal('fetch', (_: URL, { signal }: RequestInit) => {
    const body = new ReadableStream({
      start: (controller) => {
        signal?.addEventListener('abort', () => controller.error(new Error('aborted')));
      },
      pull: async (controller) => {
        await new Promise((settle) => setTimeout(settle, 1000));
        if (signal?.aborted === false) controller.enqueue(new Uint8Array(1));
      },
    });
    const headers = { 'content-range': `bytes 0-65551/${SIZE}` };
    return Promise.resolve(new Response(body, { status: 206, headers }));
  });
  const opened = expect(remoteFile(URL_OF_ATLAS, 'key')).rejects.toThrow('within 120 seconds');
  await vi.advanceTimersByTimeAsync(130_000);
  await opened;
});

it('names the file of a request that fails', async () => {
  vi.stubGlobal('fetch', () => Promise.reject(new TypeError('Failed to fetch')));
  const opened = remoteFile(URL_OF_ATLAS, 'key');
  await expect(opened).rejects.toThrow('kernels.atlas cannot be read: Failed to fetch');
});
