import { getOrCreate } from '#bytes/cache.ts';
import { isBpf } from '#model/object-model.ts';
import { chooseOther } from '#store/address/compare.ts';
import { comparedWith } from '#store/address/compared-with.ts';
import { keyOf, openByKey } from '#store/address/file-keys.ts';
import { showView } from '#store/address/navigation.ts';
import { openFile } from '#store/session/files.ts';
import { activate } from '#store/session/panes.ts';
import {
  activeFile,
  type FileId,
  fileById,
  logOf,
  modelOf,
  type OpenFile,
  session,
  typesOf,
  useSession,
} from '#store/session/session.ts';

/** Returns the open file with which file `id` is compared; null if there is none. */
export function useOtherFile(id: FileId): OpenFile | null {
  const { key, other } = comparedWith.useOf(id);
  const files = useSession((state) => state.files);
  return otherFile(files, id, other, key);
}

/** Returns the file with key `wanted`. Without a key: `chosen`, else a similar file, else any. */
export function otherFile(
  files: readonly OpenFile[],
  id: FileId,
  chosen: FileId | null,
  wanted: string | null,
): OpenFile | null {
  const own = files.find((file) => file.id === id);
  const fitting = files.filter((file) => isComparable(file, own));
  if (wanted !== null) {
    // The key of a small log is its hash until the page has packed it for links.
    const has = (file: OpenFile) => keyOf(file) === wanted || file.sha256 === wanted;
    return fitting.find(has) ?? null;
  }
  const others = fitting.filter((file) => file.id !== id);
  const isProgram = isProgramFile(own);
  return (
    fitting.find((file) => file.id === chosen) ??
    others.findLast((file) => isProgramFile(file) === isProgram) ??
    others.at(-1) ??
    null
  );
}

/** Returns true if a file can be compared with `own`: both are logs, or both have types. */
export function isComparable(file: OpenFile, own: OpenFile | undefined): boolean {
  return logOf(own ?? null) === null ? typesOf(file) !== null : logOf(file) !== null;
}

/** Returns true if the file is a BPF object, which is best compared with another object. */
function isProgramFile(file: OpenFile | undefined): boolean {
  const model = modelOf(file ?? null);
  return model !== null && isBpf(model);
}

/** Opens a file and compares the active file with it. Returns why opening failed, or null. */
export async function openOther(file: File): Promise<string | null> {
  const id = await openFile(file, { activate: false });
  const opened = fileById(session.getState(), id);
  if (opened === null) return null;
  const own = activeFile(session.getState()) ?? undefined;
  if (!isComparable(opened, own)) {
    if (opened.status.step === 'failed') return 'it could not be opened';
    return logOf(own ?? null) === null ? 'it has no types' : 'it is not a log';
  }
  chooseOther(opened);
  return null;
}

const opening = new Map<string, Promise<boolean>>();

/** Opens the file with this key. Resolves to false if opening fails or the file cannot be compared. */
export function openWantedOther(key: string): Promise<boolean> {
  // While the file opens, other requests for the same key get the same promise.
  return getOrCreate(opening, key, () => openComparable(key).finally(() => opening.delete(key)));
}

async function openComparable(key: string): Promise<boolean> {
  const own = activeFile(session.getState()) ?? undefined;
  const { file } = await openByKey(key, '', { activate: false });
  return file !== null && isComparable(file, own);
}

/** Makes `file` the active file and compares it with `after`. Swaps the sides if both are equal. */
export function chooseBefore(file: OpenFile, after: OpenFile | null): void {
  const was = activeFile(session.getState());
  if (was === null || was.id === file.id) return;
  activate(file.id);
  showView('compare');
  chooseOther(after === null || after.id === file.id ? was : after);
}
