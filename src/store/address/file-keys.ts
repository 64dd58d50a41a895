/** Keys of files in addresses: an example, a SHA-256, or data in the link. Opens files by key. */
import { isCarriedKey } from '#analysis/links/carried-key.ts';
import { getOrCreate } from '#bytes/cache.ts';
import { Malformed } from '#bytes/issue.ts';
import { drawnName } from '#bytes/text.ts';
import { type Remembered, recall } from '#store/kept/kept-files.ts';
import { type BackgroundOptions, onClosed, openFile } from '#store/session/files.ts';
import { openSample } from '#store/session/samples.ts';
import {
  announce,
  type FileId,
  fileById,
  fileNow,
  type OpenFile,
  patchFile,
  type Session,
  session,
} from '#store/session/session.ts';
import { allViews } from '#store/session/views.ts';
import { type Fetched, openSource } from './source-link.ts';

/** Keys of closed files: a closed file may still be the base of an open file. */
const closed = new Map<FileId, string>();

onClosed((id) => {
  const file = fileNow(id);
  const key = file && keyOf(file);
  if (key !== null) closed.set(id, key);
});

/** Returns the value of `file=` for a file; null while its hash is not known. */
export function keyOf(file: OpenFile): string | null {
  if (file.declarationsKey !== undefined) return file.declarationsKey;
  return (
    file.servedKey ??
    // A log out of a link keeps the key of the link: another browser packs it in other bytes.
    file.origin?.key ??
    file.carriedKey ??
    (file.sample === null ? file.sha256 : `sample:${file.sample}`)
  );
}

/** Returns the key of a file by its id, even if the file is closed; empty for none. */
export function keyOfId(id: FileId | null): string | null {
  if (id === null) return null;
  const file = fileNow(id);
  return file === null ? (closed.get(id) ?? null) : keyOf(file);
}

/** Returns the open file that has the key, or null. */
export function fileOfKey(key: string, { files } = session.getState()): OpenFile | null {
  return files.find((file) => keyOf(file) === key) ?? null;
}

export type FoundFile = Fetched<OpenFile>;

/** Files that are being opened, by key: a second request for a key gets the same file. */
const opening = new Map<string, Promise<FoundFile>>();

/** Returns the file of a key, opened if needed. `name` is the file's name according to the link. */
export async function openByKey(
  key: string,
  name: string,
  options: BackgroundOptions = {},
): Promise<FoundFile> {
  const open = fileOfKey(key);
  if (open !== null) {
    return foundOr(
      await whenOpen(open.id),
      `${drawnName(open.name)} was closed before it was open`,
    );
  }
  return await getOrCreate(opening, key, () =>
    openAnew(key, name, options).finally(() => opening.delete(key)),
  );
}

/** Resolves to a file once it is read or rejected; to null if the user closes the file first. */
function whenOpen(id: FileId): Promise<OpenFile | null> {
  return new Promise((resolve) => {
    const look = (state: Session) => {
      const file = fileById(state, id);
      if (file?.status.step === 'opening') return;
      stop();
      resolve(file);
    };
    const stop = session.subscribe(look);
    look(session.getState());
  });
}

async function openAnew(key: string, name: string, options: BackgroundOptions): Promise<FoundFile> {
  if (key.startsWith('sample:')) {
    const path = key.slice('sample:'.length);
    await openSample(path, options);
    return foundOr(fileOfKey(key), `No example is named ${path}`);
  }
  if (key.startsWith('at:')) {
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
  return foundOr(
    fileOfKey(key),
    `This link needs ${name || 'a file'} with SHA-256 ${key}. Open that file to see it`,
  );
}

/** Returns the file that `open` opens, or the problem. `what` names the file in a problem. */
async function openOr(what: string, open: () => Promise<FileId>): Promise<FoundFile> {
  try {
    const id = await open();
    return foundOr(fileNow(id), `The ${what} was closed before it was open`);
  } catch (error) {
    if (!(error instanceof Malformed)) throw error;
    return { file: null, problem: error.issue.message };
  }
}

function foundOr(file: OpenFile | null, problem: string): FoundFile {
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

/** Maximum number of files that the page reopens at once: each has its own worker. */
export const MAX_FILES = 24;

/** Opens up to `MAX_FILES` files from the browser's storage, and activates the first of them. */
export async function openAllRemembered(kept: readonly Remembered[]): Promise<void> {
  const { files } = session.getState();
  const closed = kept.filter(({ sha256 }) => !files.some((file) => file.sha256 === sha256));
  for (const [i, { sha256, name }] of closed.slice(0, MAX_FILES).entries()) {
    const file = await recall(sha256);
    if (file === null) announce(`The browser no longer keeps ${drawnName(name)}`);
    else await openFile(file, { sha256, activate: i === 0 });
  }
}

/** Opens a file from the browser's storage. Resolves to false, with a message, if it is gone. */
export async function openRemembered({ sha256, name }: Remembered): Promise<boolean> {
  const kept = await recall(sha256);
  if (kept === null) {
    announce(`The browser no longer keeps ${drawnName(name)}`);
    return false;
  }
  await openFile(kept);
  return true;
}
