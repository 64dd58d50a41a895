/**
 * Notes that a person pins to what is selected: a type, a member, bytes. The browser keeps them by
 * the hash of the file; copied links carry them. A link is not trusted: how many notes there are,
 * and how long they are, is bounded here.
 */
import { create } from 'zustand';
import { selectionSpan } from '#analysis/selection/selection.ts';
import type { ObjectModel } from '#model/object-model.ts';
import { NOTHING, type Selection } from '#model/selection.ts';
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
import { type FileId, fileById, modelOf, type OpenFile, session } from '#store/session/session.ts';
import { formatSelection, parseParams, resolveSelection } from './selection-keys.ts';

export type Note = KeptNote & {
  /** What it stands on; null where this file has no such place. */
  readonly selection: Selection | null;
};

type FileNotes = { readonly model: ObjectModel; readonly notes: readonly Note[] };

const useAll = create<{ readonly byFile: ReadonlyMap<FileId, FileNotes> }>(() => ({
  byFile: new Map(),
}));

const NONE: readonly Note[] = [];

/** The notes of an open file; draws again when they change. */
export function useNotes(id: FileId): readonly Note[] {
  return useAll(({ byFile }) => byFile.get(id)?.notes ?? NONE);
}

/** The notes of an open file. */
export function notesOf(id: FileId): readonly Note[] {
  return useAll.getState().byFile.get(id)?.notes ?? NONE;
}

/** Pins a note to a selection of an open file. False where nothing is selected, nothing is said, or the file has enough. */
export function addNote(id: FileId, selection: Selection, text: string): boolean {
  const model = modelOf(fileById(session.getState(), id));
  const notes = notesOf(id);
  const said = noteText(text);
  if (model === null || said === '' || notes.length >= MAX_NOTES) return false;
  const place = formatSelection(model, selection);
  if (place === '' || place.length > MAX_PLACE_LENGTH) return false;
  change(id, model, [...notes, { place, text: said, selection }]);
  return true;
}

/** Puts another text in a note, by its number from 0; an empty one removes it. */
export function editNote(id: FileId, index: number, text: string): void {
  const said = noteText(text);
  const notes = notesOf(id).flatMap((note, i) =>
    i !== index ? [note] : said === '' ? [] : [{ ...note, text: said }],
  );
  const model = modelOf(fileById(session.getState(), id));
  if (model !== null) change(id, model, notes);
}

/** Removes all notes of an open file. */
export function removeNotes(id: FileId): void {
  const model = modelOf(fileById(session.getState(), id));
  if (model !== null) change(id, model, []);
}

function change(id: FileId, model: ObjectModel, notes: readonly Note[]): void {
  show(id, model, notes);
  const file = fileById(session.getState(), id);
  if (file !== null) keep(file, notes);
}

/** Adds what a link carries to the notes of the file that it leads to. Gives how many are new. */
export async function takeNotes(id: FileId, carried: readonly KeptNote[]): Promise<number> {
  const model = modelOf(fileById(session.getState(), id));
  if (model === null || carried.length === 0) return 0;
  await loadNotes(id);
  const before = notesOf(id);
  const found = await resolved(model, carried);
  if (modelOf(fileById(session.getState(), id)) !== model) return 0;
  const known = new Set(before.map(identity));
  const fresh = found
    .filter((note) => !known.has(identity(note)))
    .slice(0, MAX_NOTES - before.length);
  if (fresh.length > 0) change(id, model, [...before, ...fresh]);
  return fresh.length;
}

function identity({ place, text }: KeptNote): string {
  return `${place}\n${text}`;
}

/** Milliseconds of work between two rests. */
const SLICE_MS = 8;

/** Looks the places up, with rests: in a kernel each may mean a walk over all types. */
async function resolved(model: ObjectModel, kept: readonly KeptNote[]): Promise<readonly Note[]> {
  const notes: Note[] = [];
  let since = performance.now();
  for (const { place, text } of kept.slice(0, MAX_NOTES)) {
    const { selection } = resolveSelection(model, parseParams(place));
    notes.push({ place, text, selection: selection === NOTHING ? null : selection });
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

/** Files whose notes are being looked up, each with the model that they are looked up in. */
const loading = new Map<FileId, { readonly model: ObjectModel; readonly done: Promise<void> }>();

/** Shows what was kept of a file once its hash is known; again where its types were read anew, then what was shown. */
export async function loadNotes(id: FileId): Promise<void> {
  const file = fileById(session.getState(), id);
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
    const isCurrent = modelOf(fileById(session.getState(), id)) === model;
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

/** Keeps the notes, except on the declarations of a workbench. */
function keep({ sha256, declarationsKey }: OpenFile, notes: readonly Note[]): void {
  if (sha256 !== null && declarationsKey === undefined) keepNotes(sha256, notes);
}

onNotesForgotten((sha256) => {
  for (const file of session.getState().files) {
    const model = modelOf(file);
    if (model !== null && (sha256 === null || file.sha256 === sha256)) show(file.id, model, []);
  }
});
