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
  const withTypes = files.filter((file) => typesOf(file) !== null);
  if (wanted !== null) return withTypes.find((file) => keyOf(file) === wanted) ?? null;
  const others = withTypes.filter((file) => file.id !== id);
  const isProgram = isProgramFile(files.find((file) => file.id === id));
  return (
    withTypes.find((file) => file.id === chosen) ??
    others.findLast((file) => isProgramFile(file) === isProgram) ??
    others.at(-1) ??
    null
  );
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
  if (typesOf(opened) === null) {
    return opened.status.step === 'failed' ? 'it could not be opened' : 'it has no types';
  }
  chooseOther(opened);
  return null;
}

const opening = new Map<string, Promise<boolean>>();

/** Opens the file with this key. Resolves to false if opening fails or the file has no types. */
export function openWantedOther(key: string): Promise<boolean> {
  // While the file opens, other requests for the same key get the same promise.
  return getOrCreate(opening, key, () => openWithTypes(key).finally(() => opening.delete(key)));
}

async function openWithTypes(key: string): Promise<boolean> {
  const { file } = await openByKey(key, '', { activate: false });
  return typesOf(file) !== null;
}

/** Makes `file` the active file and compares it with `after`. Swaps the sides if both are equal. */
export function chooseBefore(file: OpenFile, after: OpenFile | null): void {
  const was = activeFile(session.getState());
  if (was === null || was.id === file.id) return;
  activate(file.id);
  showView('compare');
  chooseOther(after === null || after.id === file.id ? was : after);
}
