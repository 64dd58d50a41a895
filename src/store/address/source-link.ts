/**
 * `src=`: opens a file of the page's own server, if the user agrees or `btfscope FILE` named it.
 */

import { create } from 'zustand';
import { drawnName } from '#bytes/text.ts';
import { decodeKey } from '#store/page/percent.ts';
import { type BackgroundOptions, openFile } from '#store/session/files.ts';
import type { RemoteFile } from '#store/session/remote-atlas.ts';
import { fileNow, type OpenFile } from '#store/session/session.ts';

/** Limit in bytes for a fetched file. */
export const MAX_BYTES = 512 * 1024 * 1024;

export type Fetched<T> =
  | { readonly file: T; readonly problem: null }
  /** Reason why the file is not open: a sentence without a full stop, not escaped. */
  | { readonly file: null; readonly problem: string };

const failed = (problem: string) => ({ file: null, problem }) as const;

/** Opens the file at `src` (relative to the page) if the user agrees. Returns file or problem. */
export async function openSource(
  src: string,
  base: string = document.baseURI,
  options: BackgroundOptions = {},
): Promise<Fetched<OpenFile>> {
  const { file: url, problem } = await agreedUrl(src, base);
  if (url === null) return failed(problem);
  const isAtlas = /\.btfatlas$/.test(url.pathname);
  const source: Fetched<File | RemoteFile> = isAtlas
    ? await openRemote(url, src)
    : await fetchFile(url);
  if (source.file === null) return source;
  const id = await openFile(source.file, options);
  const file = fileNow(id);
  return file === null ? failed('The file was closed before it was open') : { file, problem: null };
}

/** Fetches the file at `src` if the user agrees. */
export async function fetchSource(
  src: string,
  base: string = document.baseURI,
): Promise<Fetched<File>> {
  const { file: url, problem } = await agreedUrl(src, base);
  return url === null ? failed(problem) : await fetchFile(url);
}

/** Returns the URL of a file on the page's own server if the user agrees, else the reason. */
async function agreedUrl(src: string, base: string): Promise<Fetched<URL>> {
  const url = URL.canParse(src, base) ? new URL(src, base) : null;
  if (url === null || !/^https?:$/.test(url.protocol)) {
    return failed(`This link names ${src}, which is not a file address`);
  }
  const { origin } = new URL(base);
  if (url.origin !== origin) {
    return failed(
      `This link needs a file from ${url.origin}. This page requests files only from its own server (${origin}): download the file and drop it here, or let that page pass it`,
    );
  }
  url.hash = '';
  const isAgreed =
    isNamedByServer(url, base) || (await askConsent({ kind: 'source', origin, address: url.href }));
  return isAgreed ? { file: url, problem: null } : failed(`Not opened, as you chose: ${url.href}`);
}

/** Opens an atlas on the page's own server. The atlas is read in ranges. */
async function openRemote(url: URL, src: string): Promise<Fetched<RemoteFile>> {
  try {
    const { remoteFile } = await import('#store/session/remote-atlas.ts');
    return { file: await remoteFile(url, `at:${src}`), problem: null };
  } catch (error) {
    return failed(
      error instanceof Error ? drawnName(error.message) : `${url.href} cannot be opened`,
    );
  }
}

/** Returns true if a URL is below the folder that the server has named in the page. */
function isNamedByServer({ href }: URL, base: string): boolean {
  const folder = document.querySelector<HTMLMetaElement>('meta[name="btfscope-files"]')?.content;
  return folder !== undefined && href.startsWith(new URL(folder, base).href);
}

async function fetchFile(url: URL): Promise<Fetched<File>> {
  try {
    const response = await fetch(url, {
      mode: 'same-origin',
      credentials: 'omit',
      referrerPolicy: 'no-referrer',
    });
    if (!response.ok) return failed(`The server answered ${response.status} for ${url.href}`);
    const parts = await partsOf(response);
    if (parts === null) return failed(`${url.href} is larger than 512 MB`);
    const name = url.pathname.split('/').at(-1) || 'file';
    return { file: new File(parts, decodeKey(name)), problem: null };
  } catch (error) {
    const why = error instanceof Error ? drawnName(error.message) : 'it cannot be fetched';
    return failed(`${url.href} cannot be opened: ${why}`);
  }
}

/** Reads the response in chunks; returns null if it is larger than `MAX_BYTES`. */
async function partsOf(response: Response): Promise<BlobPart[] | null> {
  const reader = response.body?.getReader();
  const parts: BlobPart[] = [];
  let length = 0;
  while (reader !== undefined) {
    const { done, value } = await reader.read();
    if (done) break;
    length += value.length;
    if (length > MAX_BYTES) {
      await reader.cancel();
      return null;
    }
    parts.push(value);
  }
  return parts;
}

/** A request that the page carries out only if the user agrees. */
export type ConsentRequest =
  /** Request to fetch a file from the page's own server. */
  | { readonly kind: 'source'; readonly origin: string; readonly address: string }
  /** Request to open a file that another page sends. */
  | {
      readonly kind: 'handOver';
      /** Origin of the other page; empty for an opaque origin. */
      readonly origin: string;
      /** File name, not escaped. */
      readonly name: string;
      /** File size in bytes. */
      readonly size: number;
    };

type ConsentState = {
  readonly request: ConsentRequest | null;
  readonly answer: (yes: boolean) => void;
};

const SILENT = { request: null, answer: () => undefined };

export const useConsent = create<ConsentState>(() => SILENT);

/** Asks the user. Resolves to false at once while another request is open. */
export function askConsent(request: ConsentRequest): Promise<boolean> {
  if (useConsent.getState().request !== null) return Promise.resolve(false);
  return new Promise((resolve) => {
    useConsent.setState({
      request,
      answer: (yes) => {
        useConsent.setState(SILENT);
        resolve(yes);
      },
    });
  });
}
