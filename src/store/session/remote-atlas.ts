/** Reads an atlas on the page's own server in ranges (RFC 9110, section 14) for the worker. */
import { decodeKey } from '#store/page/percent.ts';

/** Bytes of the first request, enough to recognize an atlas. */
const HEAD = 0x10010;

export type RemoteFile = {
  readonly name: string;
  /** Value of `file=` in addresses. */
  readonly key: string;
  /** Size of the file in bytes. */
  readonly size: number;
  /** Reads a range of bytes. Rejects with an `Error` whose message has no full stop. */
  read(start: number, end: number): Promise<Uint8Array>;
};

/** Milliseconds for one answer: a server that sends byte by byte must not hold up the page. */
const TIME_LIMIT = 120_000;

/** Opens the file at `url`, which must be on the page's own origin. Rejects as `read` does. */
export async function remoteFile(url: URL, key: string): Promise<RemoteFile> {
  const { bytes: head, size, version } = await rangeOf(url, 0, HEAD);
  return {
    name: decodeKey(url.pathname.split('/').at(-1) || 'atlas'),
    key,
    size,
    read: async (start, end) => {
      if (end <= head.length) return head.slice(start, end);
      const range = await rangeOf(url, start, end);
      if (range.size !== size || range.version !== version) {
        throw new Error(`${url.href} was changed on the server`);
      }
      return range.bytes;
    },
  };
}

async function rangeOf(url: URL, start: number, end: number) {
  const stop = new AbortController();
  const timer = setTimeout(() => stop.abort(), TIME_LIMIT);
  try {
    const response = await fetch(url, {
      mode: 'same-origin',
      credentials: 'omit',
      referrerPolicy: 'no-referrer',
      headers: { range: `bytes=${start}-${end - 1}` },
      signal: stop.signal,
    });
    if (response.status !== 206) {
      throw new Error(
        response.ok
          ? `The server sends ${url.href} only as a whole, not in ranges: download the atlas and drop it here`
          : `The server answered ${response.status} for ${url.href}`,
      );
    }
    const [, first, size] =
      /^bytes (\d+)-\d+\/(\d+)$/.exec(response.headers.get('content-range') ?? '') ?? [];
    const total = Number(size);
    const length = Math.min(end, total) - start;
    const isAsked = Number(first) === start && length >= 0 && Number.isSafeInteger(total);
    const bytes = isAsked ? await bodyOf(response, length) : null;
    if (bytes === null) {
      throw new Error(`The server sent another range of ${url.href} than the page asked for`);
    }
    // RFC 9110, section 8.8: validators differ if the content does.
    const version = ['etag', 'last-modified'].map((name) => response.headers.get(name)).join(' ');
    return { bytes, size: total, version };
  } catch (error) {
    // Browsers throw a TypeError for a redirect to another origin and for a broken connection.
    if (error instanceof TypeError) throw new Error(`${url.href} cannot be read: ${error.message}`);
    if (!stop.signal.aborted) throw error;
    const seconds = TIME_LIMIT / 1000;
    throw new Error(`The server did not send a range of ${url.href} within ${seconds} seconds`);
  } finally {
    clearTimeout(timer);
    // Ends an answer that is longer, or that was not read.
    stop.abort();
  }
}

/** Returns a body of `length` bytes; null for another length. Reads at most one chunk more. */
async function bodyOf(response: Response, length: number): Promise<Uint8Array | null> {
  const reader = response.body?.getReader();
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  let received = 0;
  for (;;) {
    const { done, value } = (await reader?.read()) ?? { done: true };
    if (done || value === undefined) break;
    received += value.length;
    if (received > length) return null;
    chunks.push(value);
  }
  return received === length ? new Uint8Array(await new Blob(chunks).arrayBuffer()) : null;
}
