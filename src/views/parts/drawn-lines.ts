/** Texts of several lines, made fit to be drawn. What is copied or saved is the text itself. */
import { visibleLine } from '#bytes/text.ts';

/** A browser lays out a line of a million characters for seconds; a hostile name makes one. */
const MAX_LINE_LENGTH = 10_000;
const MAX_LENGTH = 1_000_000;

/**
 * `text` with escapes for what cannot be seen; line ends and tabs stay. Of each line the
 * first 10,000 characters, and of all of them the first million.
 */
export function drawnLines(text: string): string {
  const lines: string[] = [];
  let length = 0;
  for (let at = 0; at <= text.length; ) {
    if (length > MAX_LENGTH) {
      lines.push('…');
      break;
    }
    const found = text.indexOf('\n', at);
    const end = found < 0 ? text.length : found;
    const line = text.slice(at, Math.min(end, at + MAX_LINE_LENGTH));
    const shown = visibleLine(line);
    lines.push(line.length < end - at ? `${shown}…` : shown);
    length += shown.length;
    at = end + 1;
  }
  return lines.join('\n');
}
