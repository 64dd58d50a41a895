/**
 * The other side of a comparison: which open file it is. The address names it by
 * `with`, as files are named there; until a file's hash is known only the session does.
 */

import { typesOf } from './core-target.ts';
import { keyOf, openByKey } from './file-keys.ts';
import { onClosed, openFile } from './files.ts';
import { activate, showView } from './navigation.ts';
import {
  activeFile,
  type FileId,
  fileById,
  type OpenFile,
  session,
  useSession,
} from './session.ts';
import { setViewParam, useViewParam, ViewState, viewParam } from './view-state.ts';

/** Until the other file has a key, only the session names it. */
const otherState = new ViewState('compare-other', { other: null as FileId | null });

/** The open file that `id` is compared with: the one chosen, else the last other one with types; null where there is none. */
export function useOtherFile(id: FileId): OpenFile | null {
  const wanted = useViewParam(id, 'compare', 'with');
  const { other: chosen } = otherState.useOf(id);
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
  otherState.set({ other: other.id });
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
  // A file that was closed is not asked for again.
  const { files } = session.getState();
  const closed = fileById(session.getState(), id);
  const key = closed === null ? null : keyOf(closed);
  for (const file of files) {
    const wanted = viewParam(file, 'compare', 'with');
    if (wanted !== null && wanted === key) setViewParam('compare', 'with', null, file.id);
  }
});
