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

/** Opens the file at `url`, which must be on the page's own origin. Rejects as `read` does. */
export async function remoteFile(url: URL, key: string): Promise<RemoteFile> {
  const { bytes: head, size } = await rangeOf(url, 0, HEAD);
  return {
    name: decodeKey(url.pathname.split('/').at(-1) || 'atlas'),
    key,
    size,
    read: async (start, end) => {
      if (end <= head.length) return head.slice(start, end);
      const range = await rangeOf(url, start, end);
      if (range.size !== size) throw new Error(`${url.href} was changed on the server`);
      return range.bytes;
    },
  };
}

async function rangeOf(url: URL, start: number, end: number) {
  const stop = new AbortController();
  const response = await fetch(url, {
    mode: 'same-origin',
    credentials: 'omit',
    referrerPolicy: 'no-referrer',
    headers: { range: `bytes=${start}-${end - 1}` },
    signal: stop.signal,
  });
  if (response.status !== 206) {
    // A server without support for ranges sends the whole file: stop it.
    stop.abort();
    throw new Error(
      response.ok
        ? `The server sends ${url.href} only as a whole, not in ranges: download the atlas and drop it here`
        : `The server answered ${response.status} for ${url.href}`,
    );
  }
  const [, first, size] =
    /^bytes (\d+)-\d+\/(\d+)$/.exec(response.headers.get('content-range') ?? '') ?? [];
  const bytes = new Uint8Array(await response.arrayBuffer());
  const total = Number(size);
  if (Number(first) !== start || bytes.length !== Math.min(end, total) - start) {
    throw new Error(`The server sent another range of ${url.href} than the page asked for`);
  }
  return { bytes, size: total };
}
