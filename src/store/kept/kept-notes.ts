/** What is kept and carried of a note, its bounds, and what the browser keeps: notes by the hash of their file. */
export type KeptNote = {
  /** The parameters of the address that name the place: `type=struct:s&member=a`. */
  readonly place: string;
  /** Raw text of one line. */
  readonly text: string;
};

/** Characters of a note. */
export const NOTE_LENGTH = 280;
/** Notes of one file. */
export const MOST_NOTES = 64;

/** One line, not longer than a note may be. */
export function noteText(text: string): string {
  const line = text
    .slice(0, 4 * NOTE_LENGTH)
    .replace(/\s+/gu, ' ')
    .trim();
  return Array.from(line).slice(0, NOTE_LENGTH).join('');
}

/** A longer place is of no name that a compiler writes. */
export const MOST_PLACE = 2000;
/** Files whose notes are kept; those of the file that was annotated longest ago go first. */
const MOST_FILES = 100;
const KEY = 'btfscope-notes';

/** What the browser has kept, by the hashes of the files; what is no note is left out. */
export function parseKept(text: string | null): Map<string, readonly KeptNote[]> {
  try {
    const kept: unknown = JSON.parse(text ?? '');
    if (typeof kept !== 'object' || kept === null) return new Map();
    return new Map(
      Object.entries(kept).flatMap(([sha256, notes]: [string, unknown]) =>
        Array.isArray(notes) ? [[sha256, boundedNotes(notes)] as const] : [],
      ),
    );
  } catch {
    return new Map();
  }
}

/** Pairs of place and text, as far as they are notes. */
function boundedNotes(pairs: readonly unknown[]): readonly KeptNote[] {
  return pairs.slice(0, MOST_NOTES).flatMap((pair) => {
    const [place, text] = Array.isArray(pair) ? pair : [];
    if (typeof place !== 'string' || typeof text !== 'string') return [];
    const said = noteText(text);
    return place === '' || place.length > MOST_PLACE || said === '' ? [] : [{ place, text: said }];
  });
}

function readKept(): Map<string, readonly KeptNote[]> {
  try {
    return parseKept(localStorage.getItem(KEY));
  } catch {
    return new Map();
  }
}

function writeKept(kept: ReadonlyMap<string, readonly KeptNote[]>): void {
  try {
    if (kept.size === 0) localStorage.removeItem(KEY);
    else {
      const entries = [...kept].map(([sha256, notes]) => [
        sha256,
        notes.map(({ place, text }) => [place, text]),
      ]);
      localStorage.setItem(KEY, JSON.stringify(Object.fromEntries(entries)));
    }
  } catch {
    // Storage may be full or forbidden: then they last as long as the file is open.
  }
}

/** The notes that are kept of the file with this hash. */
export function keptNotes(sha256: string): readonly KeptNote[] {
  return readKept().get(sha256) ?? [];
}

/** Keeps the notes of the file with this hash, in place of those that were. */
export function keepNotes(sha256: string, notes: readonly KeptNote[]): void {
  const kept = readKept();
  kept.delete(sha256);
  if (notes.length > 0) kept.set(sha256, notes);
  writeKept(new Map([...kept].slice(-MOST_FILES)));
}

/** How many files have notes that are kept. */
export function annotatedFiles(): number {
  return readKept().size;
}

type Forgotten = (sha256: string | null) => void;
const listeners: Forgotten[] = [];

/** Calls `listener` with the hash of the file whose notes are forgotten; null: of all. */
export function onNotesForgotten(listener: Forgotten): void {
  listeners.push(listener);
}

/** Forgets the notes of the file with this hash, or of all files; those that are open too. */
export function forgetNotes(sha256: string | null): void {
  const kept = readKept();
  if (sha256 === null) kept.clear();
  else kept.delete(sha256);
  writeKept(kept);
  for (const listener of listeners) listener(sha256);
}
