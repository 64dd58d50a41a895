import { useEffect } from 'react';
import { loadNotes } from '#store/address/notes.ts';
import { showNotes } from '#store/session/dialogs.ts';
import { logOf, type OpenFile } from '#store/session/session.ts';
import { useKeys } from '#ui/keys.tsx';
import { NotesButton, NotesOf } from '#views/notes/NotesParts.tsx';
import { NOTES_KEYS } from './keys.ts';

/** Draws the button and the dialog of the notes on the lines of a log, and binds their key. */
export function LogNotes({ file }: { readonly file: OpenFile }) {
  const { id, sha256 } = file;
  const log = logOf(file);
  useEffect(() => {
    if (sha256 !== null && log !== null) void loadNotes(id);
  }, [id, sha256, log]);
  useKeys(NOTES_KEYS, () => {
    showNotes(true);
    return true;
  });
  return (
    <>
      <NotesButton id={id} />
      <NotesOf file={file} />
    </>
  );
}
