/** Notes on places in files: their limits, and the notes that the browser stores by file hash. */
import { fieldsOf, itemsOf, kept } from './local-storage.ts';

export type KeptNote = {
  /** Address parameters of the place that the note is about: `type=struct:s&member=a`. */
  readonly place: string;
  /** Text of the note: one line, not escaped. */
  readonly text: string;
};

/** Maximum length of a note, in characters. */
export const NOTE_LENGTH = 280;
/** Maximum number of notes on a file. */
export const MAX_NOTES = 64;

/** Returns `text` as one line of at most `NOTE_LENGTH` characters. */
export function noteText(text: string): string {
  const line = text
    .slice(0, 4 * NOTE_LENGTH)
    .replace(/\s+/gu, ' ')
    .trim();
  return Array.from(line).slice(0, NOTE_LENGTH).join('');
}

/** Maximum length of a place in characters; longer names do not occur in compiled files. */
export const MAX_PLACE_LENGTH = 2000;
/** Maximum number of files with stored notes. The file annotated longest ago is dropped first. */
const MAX_FILES = 100;

type NotesByFile = ReadonlyMap<string, readonly KeptNote[]>;

/** Stored notes by the SHA-256 of their file. The JSON has pairs of place and text. */
export const keptNotes = kept<NotesByFile>('btfscope-notes', {
  parse: (json) =>
    new Map(
      Object.entries(fieldsOf(json)).flatMap(([sha256, notes]) =>
        Array.isArray(notes) ? [[sha256, boundedNotes(notes)] as const] : [],
      ),
    ),
  format: (byFile) => {
    const entries = [...byFile].map(([sha256, notes]) => [
      sha256,
      notes.map(({ place, text }) => [place, text]),
    ]);
    return entries.length === 0 ? undefined : Object.fromEntries(entries);
  },
});

/** Returns the valid pairs of place and text, at most `MAX_NOTES`. */
function boundedNotes(pairs: readonly unknown[]): readonly KeptNote[] {
  return pairs.slice(0, MAX_NOTES).flatMap((pair) => {
    const [place, text] = itemsOf(pair);
    if (typeof place !== 'string' || typeof text !== 'string') return [];
    const line = noteText(text);
    return place === '' || place.length > MAX_PLACE_LENGTH || line === ''
      ? []
      : [{ place, text: line }];
  });
}

export function notesOfFile(sha256: string): readonly KeptNote[] {
  return keptNotes.read().get(sha256) ?? [];
}

/** Stores `notes` as the notes on the file with this hash, replacing its earlier notes. */
export function keepNotes(sha256: string, notes: readonly KeptNote[]): void {
  const byFile = new Map(keptNotes.read());
  byFile.delete(sha256);
  if (notes.length > 0) byFile.set(sha256, notes);
  keptNotes.write(new Map([...byFile].slice(-MAX_FILES)));
}

export function annotatedFiles(): number {
  return keptNotes.read().size;
}

type Forgotten = (sha256: string | null) => void;
const listeners: Forgotten[] = [];

/** Calls `listener` with the hash of each file whose notes are deleted; with null for all files. */
export function onNotesForgotten(listener: Forgotten): void {
  listeners.push(listener);
}

/** Deletes the notes on the file with this hash, or on all files if it is null. */
export function forgetNotes(sha256: string | null): void {
  keptNotes.write(
    new Map([...keptNotes.read()].filter(([file]) => sha256 !== null && file !== sha256)),
  );
  for (const listener of listeners) listener(sha256);
}
