/** Changes the notes on a file, and stores them. */
import type { Selection } from '#model/selection.ts';
import {
  type KeptNote,
  keepNotes,
  MAX_NOTES,
  MAX_PLACE_LENGTH,
  noteText,
} from '#store/kept/kept-notes.ts';
import { type FileId, fileNow, type OpenFile } from '#store/session/session.ts';
import {
  contentNow,
  loadNotes,
  type Note,
  type NotedContent,
  notesOf,
  resolvedNotes,
  showNotesOf,
} from './notes.ts';
import { formatSelection } from './selection-keys.ts';

/**
 * Adds a note to a selection, or to a line of a log, from 0. Returns false if place or text is empty,
 * or at `MAX_NOTES`.
 */
export function addNote(id: FileId, at: Selection | number, text: string): boolean {
  const content = contentNow(id);
  const notes = notesOf(id);
  const written = noteText(text);
  if (content === null || written === '' || notes.length >= MAX_NOTES) return false;
  const note = noteAt(content, at);
  if (note === null || note.place === '' || note.place.length > MAX_PLACE_LENGTH) return false;
  change(id, content, [...notes, { ...note, text: written }]);
  return true;
}

function noteAt(content: NotedContent, at: Selection | number): Omit<Note, 'text'> | null {
  if ('lineCount' in content) {
    const isLine = typeof at === 'number' && at >= 0 && at < content.lineCount;
    return isLine ? { place: `line=${at + 1}`, selection: null, line: at } : null;
  }
  if (typeof at === 'number') return null;
  return { place: formatSelection(content, at), selection: at, line: null };
}

/** Changes the text of note `index` (from 0); an empty text removes the note. */
export function editNote(id: FileId, index: number, text: string): void {
  const line = noteText(text);
  const notes = notesOf(id).flatMap((note, i) =>
    i !== index ? [note] : line === '' ? [] : [{ ...note, text: line }],
  );
  const content = contentNow(id);
  if (content !== null) change(id, content, notes);
}

export function removeNotes(id: FileId): void {
  const content = contentNow(id);
  if (content !== null) change(id, content, []);
}

function change(id: FileId, content: NotedContent, notes: readonly Note[]): void {
  showNotesOf(id, content, notes);
  const file = fileNow(id);
  if (file !== null) keep(file, notes);
}

/** Adds the notes of a link to the notes on its file. Returns the number of new notes. */
export async function takeNotes(id: FileId, carried: readonly KeptNote[]): Promise<number> {
  const content = contentNow(id);
  if (content === null || carried.length === 0) return 0;
  await loadNotes(id);
  const before = notesOf(id);
  const incoming = await resolvedNotes(content, carried);
  if (contentNow(id) !== content) return 0;
  const known = new Set(before.map(identity));
  const fresh = incoming
    .filter((note) => !known.has(identity(note)))
    .slice(0, MAX_NOTES - before.length);
  if (fresh.length > 0) change(id, content, [...before, ...fresh]);
  return fresh.length;
}

function identity({ place, text }: KeptNote): string {
  return `${place}\n${text}`;
}

/** Stores the notes on a file, unless the file is the workbench's declarations. */
function keep({ sha256, declarationsKey }: OpenFile, notes: readonly Note[]): void {
  if (sha256 !== null && declarationsKey === undefined) keepNotes(sha256, notes);
}
