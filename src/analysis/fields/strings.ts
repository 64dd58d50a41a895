/** Creates a field for each string of a string table, including its final NUL. */
import { type Span, spanOf } from '#bytes/span.ts';
import { decodeText } from '#bytes/text.ts';
import {
  type FieldList,
  makeField,
  type ReadBytes,
  type StructureField,
  sequence,
} from './field.ts';

/** Maximum number of bytes that the label of a string shows. */
const MAX_SHOWN = 120;

/** Maximum size in bytes of a string table whose strings are listed. */
const MAX_LISTED_BYTES = 8 * 1024 * 1024;

/** Maximum distance in bytes to a string's start or end, searched in steps of `STEP` bytes. */
const MAX_REACH = 1024 * 1024;
const STEP = 4096;

export type StringTable = {
  readonly span: Span;
  readonly read: ReadBytes;
  readonly source: string;
  /** Offset of the table's first byte in the joined string sections. */
  readonly offsetBase: number;
  /** Cache of string starts by the file offset of the table. */
  readonly known: Map<number, Uint32Array>;
};

/** Returns the strings of a table. `childAt` finds strings even if the table is not listed. */
export function stringFields(table: StringTable): FieldList {
  const starts = startsOf(table);
  const { span } = table;
  const childAt = (fileOffset: number) => stringAround(table, fileOffset);
  if (starts === null) return { count: 0, at: () => null, indexAt: () => -1, childAt };
  const startAt = (i: number) => span.start + (starts[i] ?? span.end - span.start);
  const listed = sequence(starts.length, startAt, (i) =>
    stringField(table, { start: startAt(i), end: startAt(i + 1) }),
  );
  return { ...listed, childAt };
}

function startsOf({ span, read, known }: StringTable): Uint32Array | null {
  const cached = known.get(span.start);
  if (cached !== undefined) return cached;
  const length = span.end - span.start;
  const bytes = length > MAX_LISTED_BYTES ? null : read(span.start, span.end);
  if (bytes === null || bytes.length < length) return null;
  let count = 0;
  for (let at = 0; at < length; at = next(bytes, at)) count += 1;
  const starts = new Uint32Array(count);
  let i = 0;
  for (let at = 0; at < length; at = next(bytes, at)) starts[i++] = at;
  known.set(span.start, starts);
  return starts;
}

/** Returns the start of the next string after index `at`. */
function next(bytes: Uint8Array, at: number): number {
  const nul = bytes.indexOf(0, at);
  return nul < 0 ? bytes.length : nul + 1;
}

/** Returns the string that contains a byte; null if its ends are too far away or not loaded. */
function stringAround(table: StringTable, fileOffset: number): StructureField | null {
  if (fileOffset < table.span.start || fileOffset >= table.span.end) return null;
  const start = startBefore(table, fileOffset);
  const end = start === null ? null : endAfter(table, fileOffset);
  return start === null || end === null ? null : stringField(table, { start, end });
}

function startBefore({ span, read }: StringTable, fileOffset: number): number | null {
  for (let end = fileOffset; end > span.start; end -= STEP) {
    const from = Math.max(span.start, end - STEP);
    const bytes = read(from, end);
    if (bytes === null || fileOffset - end > MAX_REACH) return null;
    const nul = bytes.lastIndexOf(0);
    if (nul >= 0) return from + nul + 1;
  }
  return span.start;
}

function endAfter({ span, read }: StringTable, fileOffset: number): number | null {
  for (let at = fileOffset; at < span.end; at += STEP) {
    const to = Math.min(span.end, at + STEP);
    const bytes = read(at, to);
    if (bytes === null || at - fileOffset > MAX_REACH) return null;
    const nul = bytes.indexOf(0);
    if (nul >= 0) return at + nul + 1;
  }
  return span.end;
}

function stringField({ span, read, source, offsetBase }: StringTable, place: Span): StructureField {
  const shown = spanOf(place.start, Math.min(place.end - place.start, MAX_SHOWN + 1));
  const bytes = read(shown.start, shown.end);
  const nul = bytes?.indexOf(0) ?? -1;
  const text = bytes === null ? '' : decodeText(nul < 0 ? bytes : bytes.subarray(0, nul));
  const isCut = nul < 0 && shown.end < place.end;
  const offset = place.start - span.start + offsetBase;
  return makeField('string', bytes === null ? 'string' : `"${text}${isCut ? '…' : ''}"`, place, {
    cType: 'char[]',
    meaning: `Offset ${offset} of the strings`,
    source,
  });
}
