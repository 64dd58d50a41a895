/** Lines of a text, as ranges of its bytes. */
import { upperBound } from '#bytes/arrays.ts';
import { memoized } from '#bytes/cache.ts';
import { decodeText } from '#bytes/text.ts';
import type { WholeText } from './whole-text.ts';

/** Largest number of bytes shown of a line; a name can have a million. */
export const SHOWN_BYTES = 1000;

const NEWLINE = 0x0a;
const TAB = 0x09;

type ByteRange = { readonly start: number; readonly end: number };

/** Lines `first` to `end` (exclusive). */
export type Block = { readonly first: number; readonly end: number };

/** Returns the bytes of the line without its line end; empty for a line after the last. */
export function lineRange({ bytes, lineStarts }: WholeText, line: number): ByteRange {
  const start = lineStarts[line] ?? bytes.length;
  const next = lineStarts[line + 1] ?? bytes.length;
  return { start, end: next > start && bytes[next - 1] === NEWLINE ? next - 1 : next };
}

/** Returns the whole line, with `\xNN` for invalid UTF-8. */
export function lineText(text: WholeText, line: number): string {
  const { start, end } = lineRange(text, line);
  return decodeText(text.bytes.subarray(start, end));
}

/** Returns lines `first` to `end` (exclusive). */
export function linesText(text: WholeText, first: number, end: number): string {
  const lines: string[] = [];
  for (let line = first; line < end; line++) lines.push(lineText(text, line));
  return lines.join('\n');
}

/** Returns the shown start of the line, and the number of hidden bytes. */
export function shownLine(
  text: WholeText,
  line: number,
): { readonly text: string; readonly bytesLeftOut: number } {
  const { start, end } = lineRange(text, line);
  let cut = Math.min(end, start + SHOWN_BYTES);
  // Cut before a character: its later bytes begin with the bits 10.
  while (cut < end && cut > start && ((text.bytes[cut] ?? 0) & 0xc0) === 0x80) cut--;
  // A line of only such bytes is not UTF-8.
  if (cut === start) cut = Math.min(end, start + SHOWN_BYTES);
  return { text: decodeText(text.bytes.subarray(start, cut)), bytesLeftOut: end - cut };
}

/** Returns the line that contains the byte at `offset`. */
export function lineOfOffset({ lineStarts }: WholeText, offset: number): number {
  return Math.max(0, upperBound(lineStarts, offset) - 1);
}

/** Upper limit of the columns of the widest shown line; a tab takes up to eight. */
export const widestLine = memoized((text: WholeText): number => {
  let widest = 0;
  for (let line = 0; line < text.lineStarts.length; line++) {
    const { start, end } = lineRange(text, line);
    let width = Math.min(end - start, SHOWN_BYTES);
    for (let at = start; at < end && text.bytes[at] === TAB; at++) width += 7;
    if (width > widest) widest = width;
  }
  return widest;
});
