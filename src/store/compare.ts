/**
 * The other side of a comparison: which open file it is. The address names it by
 * `with`, as files are named there; until a file's hash is known only the session does.
 */
import { create } from 'zustand';
import { keyOf, openByKey } from '#store/link/file-keys.ts';
import { typesOf } from './core-target.ts';
import { onClosed, openFile } from './files.ts';
import { activate, showView } from './navigation.ts';
import {
  activeFile,
  type FileId,
  fileById,
  type OpenFile,
  patchFile,
  session,
  useSession,
} from './session.ts';
import { setViewParam, useViewParam } from './view-params.ts';

/** Where the session keeps the view's `with`. */
const WITH = 'compare:with';

type State = { readonly others: ReadonlyMap<FileId, FileId> };

const useOthers = create<State>(() => ({ others: new Map() }));

/** The open file that `id` is compared with: the one chosen, else the last other one with types; null where there is none. */
export function useOtherFile(id: FileId): OpenFile | null {
  const wanted = useViewParam(id, 'compare', 'with');
  const chosen = useOthers(({ others }) => others.get(id) ?? null);
  const files = useSession((state) => state.files);
  return otherFile(files, id, chosen, wanted);
}

/** As `useOtherFile`. What the address names and is not open is not stood in for. */
export function otherFile(
  files: readonly OpenFile[],
  id: FileId,
  chosen: FileId | null,
  wanted: string | null,
): OpenFile | null {
  const withTypes = files.filter((file) => typesOf(file) !== null);
  if (wanted !== null) return withTypes.find((file) => keyOf(file) === wanted) ?? null;
  return (
    withTypes.find((file) => file.id === chosen) ??
    withTypes.findLast((file) => file.id !== id) ??
    null
  );
}

/** Compares the file that is looked at with another. */
export function chooseOther(other: OpenFile): void {
  const file = activeFile(session.getState());
  if (file === null) return;
  useOthers.setState(({ others }) => ({ others: new Map([...others, [file.id, other.id]]) }));
  setViewParam('compare', 'with', keyOf(other));
}

/** Opens a file behind the one that is looked at, and compares with it. Gives why that cannot be, or null. */
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

/** Opens what the address names as the other side; false where it cannot be had, or has no types. */
export function openWantedOther(key: string): Promise<boolean> {
  // Whoever asks twice gets one file.
  const asked = opening.get(key) ?? openWithTypes(key).finally(() => opening.delete(key));
  opening.set(key, asked);
  return asked;
}

async function openWithTypes(key: string): Promise<boolean> {
  const { file } = await openByKey(key, '', { activate: false });
  return typesOf(file) !== null;
}

/** Looks at the other file, and compares it with this one: before and after change places. */
export function swapSides(other: OpenFile): void {
  const file = activeFile(session.getState());
  if (file === null) return;
  activate(other.id);
  showView('compare');
  chooseOther(file);
}

onClosed((id) => {
  useOthers.setState(({ others }) => ({
    others: new Map([...others].filter(([file, other]) => file !== id && other !== id)),
  }));
  // Nobody asks for a file again that somebody has closed.
  const { files } = session.getState();
  const closed = fileById(session.getState(), id);
  const key = closed === null ? null : keyOf(closed);
  for (const file of files) {
    const { [WITH]: wanted, ...rest } = file.params ?? {};
    if (wanted !== undefined && wanted === key) patchFile(file.id, { params: rest });
  }
});
