/** Notes on places in files: the browser stores them by file hash, and links carry them. */
import { create } from 'zustand';
import { selectionSpan } from '#analysis/selection/selection.ts';
import type { LogOverview } from '#analysis/verifier/log-overview.ts';
import type { ObjectModel } from '#model/object-model.ts';
import { NO_SELECTION, type Selection } from '#model/selection.ts';
import { type KeptNote, MAX_NOTES, notesOfFile, onNotesForgotten } from '#store/kept/kept-notes.ts';
import { idle } from '#store/page/when-idle.ts';
import { onClosed } from '#store/session/files.ts';
import { setNotePins } from '#store/session/pins.ts';
import { type FileId, fileNow, logOf, modelOf, session } from '#store/session/session.ts';
import { parseParams, resolveSelection } from './selection-keys.ts';

export type Note = KeptNote & {
  /** Place of the note as a selection; null if it is none, or the file has no such place. */
  readonly selection: Selection | null;
  /** Line of a log that the note is about, from 0; null for other places. */
  readonly line: number | null;
};

/** What places in a file are found in. */
export type NotedContent = ObjectModel | LogOverview;

type FileNotes = { readonly content: NotedContent; readonly notes: readonly Note[] };

/** Returns what the places in a file are found in; null for a file that has no notes. */
export function contentNow(id: FileId): NotedContent | null {
  const file = fileNow(id);
  return modelOf(file) ?? logOf(file);
}

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

/** Milliseconds of work before the page can handle other events. */
const SLICE_MS = 8;

/** Finds the places of notes in a file. Pauses, because a place may need a walk of all types. */
export async function resolvedNotes(
  content: NotedContent,
  unresolved: readonly KeptNote[],
): Promise<readonly Note[]> {
  const notes: Note[] = [];
  let since = performance.now();
  for (const { place, text } of unresolved.slice(0, MAX_NOTES)) {
    notes.push({ place, text, ...placeIn(content, place) });
    if (performance.now() - since < SLICE_MS) continue;
    await idle();
    since = performance.now();
  }
  return notes;
}

function placeIn(content: NotedContent, place: string): Pick<Note, 'selection' | 'line'> {
  if ('lineCount' in content) {
    const line = Number(/^line=([1-9]\d{0,8})$/.exec(place)?.[1] ?? 0) - 1;
    return { selection: null, line: line < 0 || line >= content.lineCount ? null : line };
  }
  const { selection } = resolveSelection(content, parseParams(place));
  return { selection: selection === NO_SELECTION ? null : selection, line: null };
}

/** Shows notes on a file, without storing them. */
export function showNotesOf(id: FileId, content: NotedContent, notes: readonly Note[]): void {
  useAll.setState(({ byFile }) => ({ byFile: new Map(byFile).set(id, { content, notes }) }));
  setNotePins(
    id,
    notes.flatMap(({ text, selection }, i) =>
      selection === null || 'lineCount' in content
        ? []
        : [
            {
              number: i + 1,
              text,
              selection,
              span: selectionSpan(content, selection),
              isLit: false,
              isNote: true,
            },
          ],
    ),
  );
}

/** Models for which notes are being loaded, by file. */
const loading = new Map<FileId, { readonly content: NotedContent; readonly done: Promise<void> }>();

/** Loads the stored notes on a file whose hash is known. Call it again when the content changes. */
export async function loadNotes(id: FileId): Promise<void> {
  const file = fileNow(id);
  const content = contentNow(id);
  if (file === null || content === null) return;
  const shown = useAll.getState().byFile.get(id);
  if (shown?.content === content) return;
  const running = loading.get(id);
  if (running?.content === content) return running.done;
  const kept = shown?.notes ?? (file.sha256 === null ? null : notesOfFile(file.sha256));
  if (kept === null) return;
  const done = resolvedNotes(content, kept).then((notes) => {
    loading.delete(id);
    const isCurrent = contentNow(id) === content;
    if (isCurrent && useAll.getState().byFile.get(id)?.content !== content) {
      showNotesOf(id, content, notes);
    }
  });
  loading.set(id, { content, done });
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

onNotesForgotten((sha256) => {
  for (const file of session.getState().files) {
    const content = contentNow(file.id);
    if (content !== null && (sha256 === null || file.sha256 === sha256)) {
      showNotesOf(file.id, content, []);
    }
  }
});
