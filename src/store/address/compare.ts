/** The file that an open file is compared with. */
import { onClosed } from '#store/session/files.ts';
import {
  activeFile,
  type FileId,
  fileNow,
  type OpenFile,
  session,
} from '#store/session/session.ts';
import { textField, ViewState } from '#store/session/view-state.ts';
import { keyOf } from './file-keys.ts';

/** Compares the active file with `other`. */
export function chooseOther(other: OpenFile): void {
  const file = activeFile(session.getState());
  if (file !== null) comparedWith.set({ other: other.id, key: keyOf(other) }, file.id);
}

onClosed((id) => {
  // A closed file is not opened again.
  const { files } = session.getState();
  const closed = fileNow(id);
  const key = closed === null ? null : keyOf(closed);
  for (const file of files) {
    const wanted = comparedWith.of(file).key;
    if (wanted !== null && wanted === key) comparedWith.set({ key: null }, file.id);
  }
});

/** The file that an open file is compared with: by key, and by id while it has no key. */
export const comparedWith = new ViewState(
  'compared-with',
  { key: null as string | null, other: null as FileId | null },
  { address: { key: textField('with') } },
);
