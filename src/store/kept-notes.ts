/** What is kept and carried of a note, and its bounds. */
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
