import { visibleLine } from '#bytes/text.ts';

/** Maximum characters in a line: a browser needs seconds to lay out a line of a million. */
const MAX_LINE_LENGTH = 10_000;
const MAX_LENGTH = 1_000_000;

/** Escapes invisible characters except line ends and tabs, and cuts long lines and long texts. */
export function drawnLines(text: string): string {
  const lines: string[] = [];
  let length = 0;
  for (let at = 0; at <= text.length; ) {
    if (length > MAX_LENGTH) {
      lines.push('…');
      break;
    }
    const lineEnd = text.indexOf('\n', at);
    const end = lineEnd < 0 ? text.length : lineEnd;
    const line = text.slice(at, Math.min(end, at + MAX_LINE_LENGTH));
    const shown = visibleLine(line);
    lines.push(line.length < end - at ? `${shown}…` : shown);
    length += shown.length;
    at = end + 1;
  }
  return lines.join('\n');
}
