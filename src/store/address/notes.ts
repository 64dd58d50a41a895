/** Notes on places in files: the browser stores them by file hash, and links carry them. */
import { create } from 'zustand';
import { selectionSpan } from '#analysis/selection/selection.ts';
import type { ObjectModel } from '#model/object-model.ts';
import { NO_SELECTION, type Selection } from '#model/selection.ts';
import {
  type KeptNote,
  keepNotes,
  MAX_NOTES,
  MAX_PLACE_LENGTH,
  notesOfFile,
  noteText,
  onNotesForgotten,
} from '#store/kept/kept-notes.ts';
import { idle } from '#store/page/when-idle.ts';
import { onClosed } from '#store/session/files.ts';
import { setNotePins } from '#store/session/pins.ts';
import { type FileId, fileNow, modelOf, type OpenFile, session } from '#store/session/session.ts';
import { formatSelection, parseParams, resolveSelection } from './selection-keys.ts';

export type Note = KeptNote & {
  /** Place of the note as a selection; null if the file has no such place. */
  readonly selection: Selection | null;
};

type FileNotes = { readonly model: ObjectModel; readonly notes: readonly Note[] };

const useAll = create<{ readonly byFile: ReadonlyMap<FileId, FileNotes> }>(() => ({
  byFile: new Map(),
}));

const NO_NOTES: readonly Note[] = [];

/** Returns the notes on an open file. React hook. */
export function useNotes(id: FileId): readonly Note[] {
  return useAll(({ byFile }) => byFile.get(id)?.notes ?? NO_NOTES);
}

/** Returns the notes on an open file. */
export function notesOf(id: FileId): readonly Note[] {
  return useAll.getState().byFile.get(id)?.notes ?? NO_NOTES;
}

/** Adds a note to a selection. Returns false if selection or text is empty, or at `MAX_NOTES`. */
export function addNote(id: FileId, selection: Selection, text: string): boolean {
  const model = modelOf(fileNow(id));
  const notes = notesOf(id);
  const line = noteText(text);
  if (model === null || line === '' || notes.length >= MAX_NOTES) return false;
  const place = formatSelection(model, selection);
  if (place === '' || place.length > MAX_PLACE_LENGTH) return false;
  change(id, model, [...notes, { place, text: line, selection }]);
  return true;
}

/** Changes the text of note `index` (from 0); an empty text removes the note. */
export function editNote(id: FileId, index: number, text: string): void {
  const line = noteText(text);
  const notes = notesOf(id).flatMap((note, i) =>
    i !== index ? [note] : line === '' ? [] : [{ ...note, text: line }],
  );
  const model = modelOf(fileNow(id));
  if (model !== null) change(id, model, notes);
}

export function removeNotes(id: FileId): void {
  const model = modelOf(fileNow(id));
  if (model !== null) change(id, model, []);
}

function change(id: FileId, model: ObjectModel, notes: readonly Note[]): void {
  show(id, model, notes);
  const file = fileNow(id);
  if (file !== null) keep(file, notes);
}

/** Adds the notes of a link to the notes on its file. Returns the number of new notes. */
export async function takeNotes(id: FileId, carried: readonly KeptNote[]): Promise<number> {
  const model = modelOf(fileNow(id));
  if (model === null || carried.length === 0) return 0;
  await loadNotes(id);
  const before = notesOf(id);
  const incoming = await resolved(model, carried);
  if (modelOf(fileNow(id)) !== model) return 0;
  const known = new Set(before.map(identity));
  const fresh = incoming
    .filter((note) => !known.has(identity(note)))
    .slice(0, MAX_NOTES - before.length);
  if (fresh.length > 0) change(id, model, [...before, ...fresh]);
  return fresh.length;
}

function identity({ place, text }: KeptNote): string {
  return `${place}\n${text}`;
}

/** Milliseconds of work before the page can handle other events. */
const SLICE_MS = 8;

/** Finds the places of notes in a file. Pauses, because a place may need a walk of all types. */
async function resolved(
  model: ObjectModel,
  unresolved: readonly KeptNote[],
): Promise<readonly Note[]> {
  const notes: Note[] = [];
  let since = performance.now();
  for (const { place, text } of unresolved.slice(0, MAX_NOTES)) {
    const { selection } = resolveSelection(model, parseParams(place));
    notes.push({ place, text, selection: selection === NO_SELECTION ? null : selection });
    if (performance.now() - since < SLICE_MS) continue;
    await idle();
    since = performance.now();
  }
  return notes;
}

function show(id: FileId, model: ObjectModel, notes: readonly Note[]): void {
  useAll.setState(({ byFile }) => ({ byFile: new Map(byFile).set(id, { model, notes }) }));
  setNotePins(
    id,
    notes.flatMap(({ text, selection }, i) =>
      selection === null
        ? []
        : [
            {
              number: i + 1,
              text,
              selection,
              span: selectionSpan(model, selection),
              isLit: false,
              isNote: true,
            },
          ],
    ),
  );
}

/** Models for which notes are being loaded, by file. */
const loading = new Map<FileId, { readonly model: ObjectModel; readonly done: Promise<void> }>();

/** Loads the stored notes on a file whose hash is known. Call it again when the model changes. */
export async function loadNotes(id: FileId): Promise<void> {
  const file = fileNow(id);
  const model = modelOf(file);
  if (file === null || model === null) return;
  const shown = useAll.getState().byFile.get(id);
  if (shown?.model === model) return;
  const running = loading.get(id);
  if (running?.model === model) return running.done;
  const kept = shown?.notes ?? (file.sha256 === null ? null : notesOfFile(file.sha256));
  if (kept === null) return;
  const done = resolved(model, kept).then((notes) => {
    loading.delete(id);
    const isCurrent = modelOf(fileNow(id)) === model;
    if (isCurrent && useAll.getState().byFile.get(id)?.model !== model) show(id, model, notes);
  });
  loading.set(id, { model, done });
  return done;
}

onClosed((id) => {
  loading.delete(id);
  useAll.setState(({ byFile }) => {
    const rest = new Map(byFile);
    rest.delete(id);
    return { byFile: rest };
  });
  setNotePins(id, []);
});

/** Stores the notes on a file, unless the file is the workbench's declarations. */
function keep({ sha256, declarationsKey }: OpenFile, notes: readonly Note[]): void {
  if (sha256 !== null && declarationsKey === undefined) keepNotes(sha256, notes);
}

onNotesForgotten((sha256) => {
  for (const file of session.getState().files) {
    const model = modelOf(file);
    if (model !== null && (sha256 === null || file.sha256 === sha256)) show(file.id, model, []);
  }
});
