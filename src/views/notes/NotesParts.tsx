import { StickyNote } from 'lucide-react';
import { memo } from 'react';
import { useNotes } from '#store/address/notes.ts';
import { showNotes, useNotesDialog } from '#store/session/dialogs.ts';
import { announce, type FileId, type OpenFile } from '#store/session/session.ts';
import { Button } from '#ui/Button.tsx';
import { grouped } from '#ui/grouped.ts';
import { hint } from '#ui/hints.tsx';
import { LazyPart, lazyComponent } from '#ui/LazyPart.tsx';

const NotesDialog = lazyComponent(async () => (await import('./NotesDialog.tsx')).NotesDialog);

/** Draws the dialog of the notes on a file, whose code is loaded when it opens. */
export function NotesOf({ file }: { readonly file: OpenFile }) {
  const isOpen = useNotesDialog((state) => state.isOpen);
  return (
    <LazyPart
      isOpen={isOpen}
      onError={() => announce("Couldn't load the notes")}
      onDismiss={() => showNotes(false)}
    >
      <NotesDialog file={file} isOpen={isOpen} onClose={() => showNotes(false)} />
    </LazyPart>
  );
}

/** Draws the button that opens the notes, with the number of notes. */
export const NotesButton = memo(function NotesButton({ id }: { readonly id: FileId }) {
  const { length } = useNotes(id);
  return (
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
  );
});
