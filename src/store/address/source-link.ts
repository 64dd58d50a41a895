/**
 * `src=`: a file by its address, on the page's own server only, once the person has agreed. The
 * server of `btfscope FILE` names in the page the folder of the file that the person asked for.
 */
import { drawnName } from '#bytes/text.ts';
import { decodeKey } from '#store/page/percent.ts';
import { type BackgroundOptions, openFile } from '#store/session/files.ts';
import type { RemoteFile } from '#store/session/remote-atlas.ts';
import { fileById, session } from '#store/session/session.ts';
import { askConsent } from './consent.ts';
import type { FoundFile } from './file-keys.ts';

/** Bytes that are taken from the server, at most. */
export const MAX_BYTES = 512 * 1024 * 1024;

export type Fetched = Had<File>;

type Had<T> =
  | { readonly file: T; readonly problem: null }
  /** Why it cannot be had: a sentence without a full stop, raw text. */
  | { readonly file: null; readonly problem: string };

const failed = (problem: string) => ({ file: null, problem }) as const;

/** Opens the file at `src`, an address relative to the page, once the person has agreed. Why not, else. */
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

/** The file at `src` as it is, once the person has agreed. */
export async function fetchSource(src: string, base: string = document.baseURI): Promise<Fetched> {
  const { file: url, problem } = await agreedUrl(src, base);
  return url === null ? failed(problem) : await fetched(url);
}

/** The address of a file on the page's own server that may be fetched. */
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

/** An atlas is read by ranges. */
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

/** Is it below the folder that the page's own server named when it served the page? */
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

/** The body, piece by piece; null when it is too long. */
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
