/**
 * `src=`: a file by its URL on the page's own server, with the person's consent. The server of
 * `btfscope FILE` names the folder of that file in the page.
 */
import { drawnName } from '#bytes/text.ts';
import { decodeKey } from '#store/page/percent.ts';
import { type BackgroundOptions, openFile } from '#store/session/files.ts';
import type { RemoteFile } from '#store/session/remote-atlas.ts';
import { fileById, session } from '#store/session/session.ts';
import { askConsent } from './consent.ts';
import type { FoundFile } from './file-keys.ts';

/** Bytes. A larger file is refused. */
export const MAX_BYTES = 512 * 1024 * 1024;

export type Fetched = Had<File>;

type Had<T> =
  | { readonly file: T; readonly problem: null }
  /** Reason in a sentence without a full stop; raw text. */
  | { readonly file: null; readonly problem: string };

const failed = (problem: string) => ({ file: null, problem }) as const;

/**
 * Opens the file at `src`, a URL relative to the page, with the person's consent. Returns it, or
 * the reason of a failure.
 */
export async function openSource(
  src: string,
  base: string = document.baseURI,
  options: BackgroundOptions = {},
): Promise<FoundFile> {
  const { file: url, problem } = await agreedUrl(src, base);
  if (url === null) return failed(problem);
  const isAtlas = /\.btfatlas$/.test(url.pathname);
  const had: Had<File | RemoteFile> = isAtlas ? await remote(url, src) : await fetched(url);
  if (had.file === null) return had;
  const id = await openFile(had.file, options);
  const file = fileById(session.getState(), id);
  return file === null ? failed('The file was closed before it was open') : { file, problem: null };
}

/** Fetches the file at `src` with the person's consent. */
export async function fetchSource(src: string, base: string = document.baseURI): Promise<Fetched> {
  const { file: url, problem } = await agreedUrl(src, base);
  return url === null ? failed(problem) : await fetched(url);
}

/** Returns the URL of a file on the page's own server after consent, or the reason of a refusal. */
async function agreedUrl(src: string, base: string): Promise<Had<URL>> {
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

/** Opens an atlas, which is read by ranges. */
async function remote(url: URL, src: string): Promise<Had<RemoteFile>> {
  try {
    const { remoteFile } = await import('#store/session/remote-atlas.ts');
    return { file: await remoteFile(url, `at:${src}`), problem: null };
  } catch (error) {
    return failed(
      error instanceof Error ? drawnName(error.message) : `${url.href} cannot be opened`,
    );
  }
}

/** Returns whether a URL is below the folder that the page's server named in the page. */
function isNamedByServer({ href }: URL, base: string): boolean {
  const folder = document.querySelector<HTMLMetaElement>('meta[name="btfscope-files"]')?.content;
  return folder !== undefined && href.startsWith(new URL(folder, base).href);
}

async function fetched(url: URL): Promise<Fetched> {
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

/** Reads the body in chunks; null if it exceeds `MAX_BYTES`. */
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
