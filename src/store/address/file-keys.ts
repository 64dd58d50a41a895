/** How an address names a file: an example, a SHA-256, or what the link itself carries. And the way back. */
import { isCarriedKey } from '#analysis/links/packed.ts';
import { Malformed } from '#bytes/issue.ts';
import { keptIn } from '#bytes/keep.ts';
import { drawnName } from '#bytes/text.ts';
import { type Remembered, recall } from '#store/kept/remembered.ts';
import { type BackgroundOptions, onClosed, openFile } from '#store/session/files.ts';
import { openSample } from '#store/session/samples.ts';
import {
  announce,
  type FileId,
  fileById,
  type OpenFile,
  patchFile,
  session,
} from '#store/session/session.ts';
import { allViews } from '#store/session/views.ts';

/** Keys of files that are closed by now: they may still be the base of another. */
const closed = new Map<FileId, string>();

onClosed((id) => {
  const file = fileById(session.getState(), id);
  const key = file && keyOf(file);
  if (key !== null) closed.set(id, key);
});

/** What names the file behind `file=`; null while its hash is not known. */
export function keyOf(file: OpenFile): string | null {
  if (file.declarationsKey !== undefined) return file.declarationsKey;
  return (
    file.servedKey ??
    file.origin?.key ??
    (file.sample === null ? file.sha256 : `sample:${file.sample}`)
  );
}

/** The same by number, also after the file was closed. */
export function keyOfId(id: FileId | null): string | null {
  if (id === null) return null;
  const file = fileById(session.getState(), id);
  return file === null ? (closed.get(id) ?? null) : keyOf(file);
}

/** The file of that key among those that are open, or null. */
export function fileOfKey(key: string, { files } = session.getState()): OpenFile | null {
  return files.find((file) => keyOf(file) === key) ?? null;
}

export type FoundFile =
  | { readonly file: OpenFile; readonly problem: null }
  /** Why it is not there, in a sentence without a full stop; raw text. */
  | { readonly file: null; readonly problem: string };

/** By their keys: who asks for one that is being opened gets that one. */
const opening = new Map<string, Promise<FoundFile>>();

/**
 * The file that a key names, opened where it is not yet: an example, a file that
 * the browser has kept, or what the key carries. `name` is what the link calls it.
 */
export async function openByKey(
  key: string,
  name: string,
  options: BackgroundOptions = {},
): Promise<FoundFile> {
  const open = fileOfKey(key);
  if (open !== null) return { file: open, problem: null };
  return await keptIn(opening, key, () =>
    openAnew(key, name, options).finally(() => opening.delete(key)),
  );
}

async function openAnew(key: string, name: string, options: BackgroundOptions): Promise<FoundFile> {
  if (key.startsWith('sample:')) {
    const path = key.slice('sample:'.length);
    await openSample(path, options);
    return found(fileOfKey(key), `No example is named ${path}`);
  }
  if (key.startsWith('at:')) {
    const { openSource } = await import('./source-link.ts');
    return await openSource(key.slice('at:'.length), document.baseURI, options);
  }
  const view = allViews().find(({ opens }) => opens?.isKey(key) === true);
  const { opens } = view ?? {};
  if (view !== undefined && opens !== undefined) {
    return await openOr(view.name, () => opens.open(key, options));
  }
  if (isCarriedKey(key)) return await openOr('file', () => openFromLink(key, name, options));
  if (!/^[0-9a-f]{64}$/.test(key)) {
    return { file: null, problem: 'The link names no file that this page has' };
  }
  const kept = await recall(key);
  if (kept !== null) await openFile(kept, { ...options, sha256: key });
  return found(
    fileOfKey(key),
    `This link needs ${name || 'a file'} with SHA-256 ${key}. Open that file to see it`,
  );
}

/** What `open` opens; where what the key carries cannot be read, why. `what` it is, for a sentence. */
async function openOr(what: string, open: () => Promise<FileId>): Promise<FoundFile> {
  try {
    const id = await open();
    return found(fileById(session.getState(), id), `The ${what} was closed before it was open`);
  } catch (error) {
    if (!(error instanceof Malformed)) throw error;
    return { file: null, problem: error.issue.message };
  }
}

function found(file: OpenFile | null, problem: string): FoundFile {
  return file === null ? { file, problem } : { file, problem: null };
}

async function openFromLink(
  key: string,
  name: string,
  options: BackgroundOptions,
): Promise<FileId> {
  const { openCarried } = await import('#analysis/links/carried-link.ts');
  const carried = await openCarried(key);
  const fileName =
    carried.kind === 'types' ? `${carried.name || 'types'}.btf` : name || 'file from a link';
  const file = new File([carried.bytes], fileName);
  const id = await openFile(file, { ...options, remember: false });
  const { bytes: _, ...carries } = carried;
  patchFile(id, { origin: { key, name, carries } });
  return id;
}

/** Closed files that are opened again at most: each has a worker, and the worker's memory. */
export const MAX_FILES = 24;

/** Opens the kept files that are not open, the first so many, and looks at the first of them. */
export async function openAllRemembered(kept: readonly Remembered[]): Promise<void> {
  const { files } = session.getState();
  const closed = kept.filter(({ sha256 }) => !files.some((file) => file.sha256 === sha256));
  for (const [i, { sha256, name }] of closed.slice(0, MAX_FILES).entries()) {
    const file = await recall(sha256);
    if (file === null) announce(`The browser no longer keeps ${drawnName(name)}`);
    else await openFile(file, { sha256, activate: i === 0 });
  }
}

/** Opens a kept file; false, and a sentence in the status, where the browser no longer has it. */
export async function openRemembered({ sha256, name }: Remembered): Promise<boolean> {
  const kept = await recall(sha256);
  if (kept === null) {
    announce(`The browser no longer keeps ${drawnName(name)}`);
    return false;
  }
  await openFile(kept);
  return true;
}
