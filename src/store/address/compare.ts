import { onClosed } from '#store/session/files.ts';
import { activeFileNow, fileNow, type OpenFile, session } from '#store/session/session.ts';
import { comparedWith } from './compared-with.ts';
import { keyOf } from './file-keys.ts';

/** Compares the active file with `other` in the Compare view. */
export function chooseOther(other: OpenFile): void {
  const file = activeFileNow();
  if (file !== null) comparedWith.set({ other: other.id, key: keyOf(other) }, file.id);
}

onClosed((id) => {
  // Forgets the closed file, so that Compare does not open it again.
  const { files } = session.getState();
  const closed = fileNow(id);
  const key = closed === null ? null : keyOf(closed);
  for (const file of files) {
    const wanted = comparedWith.of(file).key;
    if (wanted !== null && wanted === key) comparedWith.set({ key: null }, file.id);
  }
});
