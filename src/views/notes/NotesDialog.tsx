import { Pencil, Trash2 } from 'lucide-react';
import { type RefObject, useEffect, useRef, useState } from 'react';
import { drawnName, visible } from '#bytes/text.ts';
import type { Selection } from '#model/selection.ts';
import { addNote, editNote, removeNotes } from '#store/address/edit-notes.ts';
import { select, showView } from '#store/address/navigation.ts';
import { type Note, useNotes } from '#store/address/notes.ts';
import { MAX_NOTES, NOTE_LENGTH } from '#store/kept/kept-notes.ts';
import { logPlace } from '#store/kernels/log-binding.ts';
import { logPlaceState } from '#store/kernels/log-place.ts';
import { announceInView, logOf, modelOf, type OpenFile } from '#store/session/session.ts';
import type { ViewName } from '#store/session/views.ts';
import { Button, IconButton } from '#ui/Button.tsx';
import { Dialog } from '#ui/Dialog.tsx';
import { grouped } from '#ui/grouped.ts';
import { PinMark } from '#views/parts/PinMark.tsx';
import { placeTitle } from '#views/parts/place-title.ts';
import styles from './NotesDialog.module.css';

type NotesDialogProps = {
  readonly file: OpenFile;
  readonly isOpen: boolean;
  readonly onClose: () => void;
};

/** Shows the notes on a file, and the form for a note on the selection. */
export function NotesDialog({ file, isOpen, onClose }: NotesDialogProps) {
  return (
    <Dialog
      isOpen={isOpen}
      onClose={onClose}
      size="wide"
      title="Notes"
      description={`On ${drawnName(file.name)}. Kept in this browser; copied links carry them.`}
    >
      <NotesBody key={file.id} file={file} onClose={onClose} />
    </Dialog>
  );
}

function NotesBody({ file, onClose }: Omit<NotesDialogProps, 'isOpen'>) {
  const notes = useNotes(file.id);
  const [edited, setEdited] = useState<number | null>(null);
  const field = useRef<HTMLInputElement>(null);
  const edit = (index: number | null) => {
    setEdited(index);
    field.current?.focus();
  };
  const remove = (index: number) => {
    editNote(file.id, index, '');
    announceInView('Removed the note');
    edit(null);
  };
  return (
    <div className="stack gap-3">
      <NoteForm
        key={`${edited}`}
        file={file}
        index={edited}
        note={edited === null ? null : (notes[edited] ?? null)}
        field={field}
        isFull={notes.length >= MAX_NOTES}
        onDone={() => edit(null)}
      />
      {notes.length === 0 ? (
        <p className="muted">No notes on this file.</p>
      ) : (
        <>
          <ol className={styles.list} aria-label="Notes on this file">
            {notes.map((note, index) => (
              <NoteRow
                // biome-ignore lint/suspicious/noArrayIndexKey: two notes may be alike, and a row has no state.
                key={index}
                file={file}
                note={note}
                index={index}
                onGo={onClose}
                onEdit={() => edit(index)}
                onRemove={() => remove(index)}
              />
            ))}
          </ol>
          <div>
            <Button
              size="small"
              variant="danger"
              onClick={() => {
                removeNotes(file.id);
                announceInView('Removed all notes on this file');
                edit(null);
              }}
            >
              Remove all notes
            </Button>
          </div>
        </>
      )}
    </div>
  );
}

type NoteFormProps = {
  readonly file: OpenFile;
  /** The note that is edited, and its index from 0; null while a new note is written. */
  readonly note: Note | null;
  readonly index: number | null;
  readonly field: RefObject<HTMLInputElement | null>;
  readonly isFull: boolean;
  readonly onDone: () => void;
};

function NoteForm({ file, note, index, field, isFull, onDone }: NoteFormProps) {
  const [text, setText] = useState(note?.text ?? '');
  // Move the focus here: each note has a form of its own.
  useEffect(() => field.current?.focus(), [field]);
  const log = logOf(file);
  const at = log === null ? file.selection : logPlace(file, log).line;
  const place = note === null ? titleOf(file, at) : noteTitle(file, note);
  const save = () => {
    if (note !== null && index !== null) editNote(file.id, index, text);
    else if (!addNote(file.id, at, text)) return;
    announceInView('Saved the note');
    setText('');
    onDone();
  };
  if (place === null) {
    return <p className="soft">Select a type, a member, a byte or a line to add a note to it.</p>;
  }
  if (note === null && isFull) {
    return <p className="soft">The file has {MAX_NOTES} notes. Remove one to add another.</p>;
  }
  return (
    <form
      className="grid gap-2"
      onSubmit={(event) => {
        event.preventDefault();
        save();
      }}
    >
      <label className="grid gap-1">
        <span className="medium break">Note on {drawnName(place)}</span>
        <input
          ref={field}
          type="text"
          className={styles.input}
          maxLength={NOTE_LENGTH}
          autoComplete="off"
          value={text}
          onChange={(event) => setText(event.target.value)}
        />
      </label>
      <div className="row gap-2">
        <Button variant="primary" disabled={text.trim() === ''} onClick={save}>
          {note === null ? 'Add note' : 'Save note'}
        </Button>
        {note === null ? null : <Button onClick={onDone}>Cancel</Button>}
      </div>
    </form>
  );
}

/** Returns the title of a note's place, or its key if the file lacks the place. Not escaped. */
function noteTitle(file: OpenFile, { place, selection, line }: Note): string {
  const at = selection ?? line;
  return (at === null ? null : titleOf(file, at)) ?? place;
}

/** Returns the title of a selection, or of a line of a log from 0; null for an empty selection. */
function titleOf(file: OpenFile, at: Selection | number): string | null {
  if (typeof at === 'number') return `line ${grouped(at + 1)}`;
  const model = modelOf(file);
  return model === null ? null : placeTitle(model, at);
}

type NoteRowProps = {
  readonly file: OpenFile;
  readonly note: Note;
  readonly index: number;
  readonly onGo: () => void;
  readonly onEdit: () => void;
  readonly onRemove: () => void;
};

/** View that shows a note on each kind of selection. */
const VIEW_OF: Readonly<Partial<Record<string, ViewName>>> = {
  type: 'types',
  bytes: 'bytes',
  section: 'bytes',
  symbol: 'bytes',
  insn: 'code',
  relocation: 'relocations',
  core: 'core',
};

function NoteRow({ file, note, index, onGo, onEdit, onRemove }: NoteRowProps) {
  const { selection, line, text } = note;
  const title = drawnName(noteTitle(file, note));
  return (
    <li className={styles.note}>
      <PinMark number={index + 1} text={text} isNote />
      <div className="grow break">
        {selection === null && line === null ? (
          <span className="mono muted">{title} (not in this file)</span>
        ) : (
          <button
            type="button"
            className={styles.place}
            onClick={() => {
              onGo();
              if (selection !== null) select(selection, VIEW_OF[selection.kind]);
              else if (line !== null) {
                logPlaceState.set({ line }, file.id);
                showView('lines');
              }
            }}
          >
            {title}
          </button>
        )}
        <p>{visible(text)}</p>
      </div>
      <IconButton label={`Edit note ${index + 1}`} icon={Pencil} size="small" onClick={onEdit} />
      <IconButton
        label={`Remove note ${index + 1}`}
        icon={Trash2}
        size="small"
        onClick={onRemove}
      />
    </li>
  );
}
