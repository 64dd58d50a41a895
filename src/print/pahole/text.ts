/**
 * Pieces of text. All text here has a byte in each character, since names are
 * bytes: its length is what C's printf would count.
 */

/** pahole has a string of so many tabs, and cuts from it. */
const MAX_TABS = 16;
const CALL_LENGTH = 1 << 13;

const TABS = Array.from({ length: MAX_TABS + 1 }, (_, count) => '\t'.repeat(count));
const SPACES = Array.from({ length: 64 }, (_, count) => ' '.repeat(count));

/** Bytes as text, one a character. */
export function byteText(bytes: Uint8Array): string {
  // The quick way, where all is ASCII; otherwise the text is shorter, or has marks for what is no UTF-8.
  const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
  if (text.length === bytes.length && !text.includes('\ufffd')) return text;
  let slow = '';
  for (let at = 0; at < bytes.length; at += CALL_LENGTH) {
    slow += String.fromCharCode(...bytes.subarray(at, at + CALL_LENGTH));
  }
  return slow;
}

export function tabs(count: number): string {
  return TABS[Math.min(count, MAX_TABS)] ?? '';
}

/** The indent of the members of what is itself indented by `count`. */
export function deeper(count: number): number {
  return Math.min(count, MAX_TABS) + 1;
}

/** So many spaces; none for a negative count. */
export function spaces(count: number): string {
  return SPACES[count] ?? ' '.repeat(Math.max(0, count));
}

/** A text that is used often: not left as a sum of parts, which would be added up at each use. */
export function whole(...parts: readonly string[]): string {
  return parts.join('');
}

/** `%-*s`: `text` with spaces after it. C takes a negative width for a positive one. */
export function padded(text: string, width: number): string {
  return text + spaces(Math.abs(width) - text.length);
}

/** What the C library makes of a name that is not there. */
export const NULL = '(null)';

/** `%s` */
export function orNull(name: string | null): string {
  return name ?? NULL;
}

/** `4 bytes`: a count of things. */
export function counted(count: number, unit: string): string {
  return count === 1 ? `1 ${unit}` : `${count} ${unit}s`;
}
