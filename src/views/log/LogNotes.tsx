import { StickyNote } from 'lucide-react';
import { useEffect } from 'react';
import { loadNotes, useNotes } from '#store/address/notes.ts';
import { showNotes, useNotesDialog } from '#store/session/dialogs.ts';
import { announceInView, logOf, type OpenFile } from '#store/session/session.ts';
import { Button } from '#ui/Button.tsx';
import { grouped } from '#ui/grouped.ts';
import { hint } from '#ui/hints.tsx';
import { useKeys } from '#ui/keys.tsx';
import { LazyPart, lazyComponent } from '#ui/LazyPart.tsx';
import { NOTES_KEYS } from './keys.ts';

const NotesDialog = lazyComponent(
  async () => (await import('#views/notes/NotesDialog.tsx')).NotesDialog,
);

/** Draws the button and the dialog of the notes on the lines of a log, and binds their key. */
export function LogNotes({ file }: { readonly file: OpenFile }) {
  const { id, sha256 } = file;
  const log = logOf(file);
  const { length } = useNotes(id);
  const isOpen = useNotesDialog((state) => state.isOpen);
  useEffect(() => {
    if (sha256 !== null && log !== null) void loadNotes(id);
  }, [id, sha256, log]);
  useKeys(NOTES_KEYS, () => {
    showNotes(true);
    return true;
  });
  return (
    <>
      <Button
        variant="quiet"
        size="small"
        icon={StickyNote}
        aria-label={length === 0 ? 'Notes on this file' : `Notes on this file: ${length}`}
        {...hint('Notes on this file', ['m'])}
        onClick={() => showNotes(true)}
      >
        {length === 0 ? null : grouped(length)}
      </Button>
      <LazyPart
        isOpen={isOpen}
        onError={() => announceInView("Couldn't load the notes")}
        onDismiss={() => showNotes(false)}
      >
        <NotesDialog file={file} isOpen={isOpen} onClose={() => showNotes(false)} />
      </LazyPart>
    </>
  );
}
