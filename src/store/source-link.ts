/**
 * `src=`: a file by its address, on the page's own server only, once the person has agreed. The
 * server of `btfscope FILE` names in the page the folder of the file that the person asked for.
 */
import { drawnName } from '#bytes/text.ts';
import { ask } from './ask.ts';
import type { FoundFile } from './file-keys.ts';
import { openFile } from './files.ts';
import { decodeKey } from './selection-keys.ts';
import { fileById, session } from './session.ts';

/** Bytes that are taken from the server, at most. */
const MAX_BYTES = 512 * 1024 * 1024;

export type Fetched =
  | { readonly file: File; readonly problem: null }
  /** Why it cannot be had: a sentence without a full stop, raw text. */
  | { readonly file: null; readonly problem: string };

const failed = (problem: string) => ({ file: null, problem }) as const;

/** Opens the file at `src`, an address relative to the page, once the person has agreed. Why not, else. */
export async function openSource(src: string, base: string = document.baseURI): Promise<FoundFile> {
  const fetched = await fetchSource(src, base);
  if (fetched.file === null) return fetched;
  const id = await openFile(fetched.file);
  const file = fileById(session.getState(), id);
  return file === null ? failed('The file was closed before it was open') : { file, problem: null };
}

/** The file at `src` as it is, once the person has agreed. */
export async function fetchSource(src: string, base: string = document.baseURI): Promise<Fetched> {
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
    isNamedByServer(url, base) || (await ask({ kind: 'source', origin, address: url.href }));
  if (!isAgreed) {
    return failed(`Not opened, as you chose: ${url.href}`);
  }
  return await fetched(url);
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
