/** Texts of whole files. The worker prints them on request, and the page keeps them. */

import { upperBound } from '#bytes/arrays.ts';
import { memoized } from '#bytes/cache.ts';
import { decodeText } from '#bytes/text.ts';
import { clientOf } from '#store/session/files.ts';
import type { FileId } from '#store/session/session.ts';
import { revisionOf, type TaskKey, type TaskState, Tasks } from '#store/session/tasks.ts';
import type { Methods } from '#worker/protocol.ts';
import type { TextFormat, TextOptions } from './state.ts';

export type WholeText = Methods['text']['result'];

type TextKey = TaskKey & { readonly format: TextFormat; readonly options: TextOptions };

export const wholeTexts = new Tasks<TextKey, WholeText>();

/** Returns the text as far as it is printed, and redraws when it grows; null before a request. */
export function useWholeText(
  id: FileId,
  format: TextFormat,
  options: TextOptions = {},
): TaskState<WholeText> | null {
  return wholeTexts.useTask(() => textKey(id, format, options));
}

/** Requests the text unless already requested. Resolves when it is printed, stopped or failed. */
export async function wantText(
  id: FileId,
  format: TextFormat,
  options: TextOptions = {},
): Promise<void> {
  if (wholeTexts.get(textKey(id, format, options)) === null) await makeText(id, format, options);
}

/** Requests the text again if it was stopped or failed. Drops texts made with another base BTF. */
export async function makeText(
  id: FileId,
  format: TextFormat,
  options: TextOptions = {},
): Promise<void> {
  const { reading } = revisionOf(id);
  wholeTexts.forget(({ files }) =>
    files.some((file) => file.id === id && file.reading !== reading),
  );
  await wholeTexts.run(textKey(id, format, options), async (call) =>
    clientOf(id)?.call('text', { format, ...options }, call),
  );
}

export function stopText(id: FileId, format: TextFormat, options: TextOptions = {}): void {
  wholeTexts.stop(textKey(id, format, options));
}

/** Returns the key under which a text of the file's current version is kept. */
export function textKey(id: FileId, format: TextFormat, options: TextOptions = {}): TextKey {
  return { files: [revisionOf(id)], format, options };
}

/** Maximum bytes shown of a line, since a name can have a million. */
export const SHOWN_BYTES = 1000;

const NEWLINE = 0x0a;
const TAB = 0x09;

type ByteRange = { readonly start: number; readonly end: number };

/** A range of lines: from `first` to `end` (exclusive). */
export type Block = { readonly first: number; readonly end: number };

/** Returns the range of a line in the bytes, without the line end; empty after the last line. */
export function lineRange({ bytes, lineStarts }: WholeText, line: number): ByteRange {
  const start = lineStarts[line] ?? bytes.length;
  const next = lineStarts[line + 1] ?? bytes.length;
  return { start, end: next > start && bytes[next - 1] === NEWLINE ? next - 1 : next };
}

/** Returns the whole line. Invalid UTF-8 becomes `\xNN`. */
export function lineText(text: WholeText, line: number): string {
  const { start, end } = lineRange(text, line);
  return decodeText(text.bytes.subarray(start, end));
}

/** Returns the text of the lines from `first` to `end` (exclusive). */
export function linesText(text: WholeText, first: number, end: number): string {
  const lines: string[] = [];
  for (let line = first; line < end; line++) lines.push(lineText(text, line));
  return lines.join('\n');
}

/** Returns the shown part at the start of a line, and how many bytes of the line are left out. */
export function shownLine(
  text: WholeText,
  line: number,
): { readonly text: string; readonly bytesLeftOut: number } {
  const { start, end } = lineRange(text, line);
  let cut = Math.min(end, start + SHOWN_BYTES);
  // Do not cut inside a character: all bytes after its first begin with the bits 10.
  while (cut < end && cut > start && ((text.bytes[cut] ?? 0) & 0xc0) === 0x80) cut--;
  // If no character begins in these bytes, the line is not UTF-8 and can be cut anywhere.
  if (cut === start) cut = Math.min(end, start + SHOWN_BYTES);
  return { text: decodeText(text.bytes.subarray(start, cut)), bytesLeftOut: end - cut };
}

/** Returns the number of the line that contains the byte at `offset`. */
export function lineOfOffset({ lineStarts }: WholeText, offset: number): number {
  return Math.max(0, upperBound(lineStarts, offset) - 1);
}

/** An upper limit of the width of the shown lines, in columns. A tab takes up to eight. */
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
