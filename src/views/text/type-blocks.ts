/** Which lines of a whole text are about which type. */
import { type TypeId, typeId } from '#model/ids.ts';
import type { TypeTable } from '#model/type-table.ts';
import type { TextFormat, WholeText } from '#store/texts.ts';
import { definitionAt, linesOfDefinition } from './definition-lines.ts';
import type { Block } from './text-lines.ts';

type TypeBlock = { readonly type: TypeId; readonly block: Block };

/** The type that a line is about, and all lines that are about it; null for a line between types. */
export function typeAtLine(
  text: WholeText,
  format: TextFormat,
  types: TypeTable,
  line: number,
): TypeBlock | null {
  return format === 'c' || format === 'pahole'
    ? definitionAt(text, format, types, line)
    : recordAt(text, format, line);
}

/** The lines about `type`; null where the text has none, as a header has none for a pointer. */
export function blockOfType(
  text: WholeText,
  format: TextFormat,
  types: TypeTable,
  type: TypeId,
): Block | null {
  return format === 'c' || format === 'pahole'
    ? linesOfDefinition(text, format, types, type)
    : linesOfRecord(text, format, type);
}

const ZERO = 0x30;
const MAX_DIGITS = 10;

const encoder = new TextEncoder();

/** What stands before the id of a type, at the start of its line, and behind it. */
const FRAMES = {
  raw: { before: encoder.encode('['), after: encoder.encode('] ') },
  json: { before: encoder.encode('{"id":'), after: encoder.encode(',') },
} as const;

type RecordFormat = keyof typeof FRAMES;

/** The id that the line begins with, or null: it is that of an item. */
function idAt({ bytes, lineStarts }: WholeText, format: RecordFormat, line: number): number | null {
  const { before, after } = FRAMES[format];
  const start = lineStarts[line];
  if (start === undefined || !holds(bytes, start, before)) return null;
  let at = start + before.length;
  let id = 0;
  for (let digits = 0; digits < MAX_DIGITS; digits++, at++) {
    const digit = (bytes[at] ?? 0) - ZERO;
    if (digit < 0 || digit > 9) break;
    id = 10 * id + digit;
  }
  return id > 0 && holds(bytes, at, after) ? id : null;
}

function holds(bytes: Uint8Array, at: number, part: Uint8Array): boolean {
  for (let i = 0; i < part.length; i++) if (bytes[at + i] !== part[i]) return false;
  return true;
}

/** Columns that a line of JSON is shown further in: a type in the list of all, an item in its type. */
export function jsonIndent(text: WholeText, line: number): number {
  if (line === 0) return 0;
  return idAt(text, 'json', line) === null ? 4 : 2;
}

/** The type whose record the line is part of, and all of its lines; null before the first. */
function recordAt(
  text: WholeText,
  format: RecordFormat,
  line: number,
): { readonly type: TypeId; readonly block: Block } | null {
  for (let first = line; first >= 0; first--) {
    const id = idAt(text, format, first);
    if (id !== null) return { type: typeId(id), block: blockFrom(text, format, first) };
  }
  return null;
}

/** The lines of the record of `id`; null where the text has none. Ids rise from line to line. */
function linesOfRecord(text: WholeText, format: RecordFormat, id: TypeId): Block | null {
  for (let line = 0; line < text.lineStarts.length; line++) {
    if (idAt(text, format, line) === id) return blockFrom(text, format, line);
  }
  return null;
}

function blockFrom(text: WholeText, format: RecordFormat, first: number): Block {
  let end = first + 1;
  while (end < text.lineStarts.length && idAt(text, format, end) === null) end++;
  return { first, end };
}
