/** Finds the source line of an instruction in .BTF.ext ("BTF Type Format", section 4.2). */
import { functionAt } from '#analysis/objects/functions.ts';
import { buildPlaceIndex, rowAtOrBefore, rowsBetween } from '#analysis/objects/place-index.ts';
import { memoized } from '#bytes/cache.ts';
import type { SectionIndex } from '#model/ids.ts';
import type { ObjectModel } from '#model/object-model.ts';
import { stringAt } from '#model/type-table.ts';

export type SourceLine = {
  /** Bytes from the start of the section to the first instruction of the source line. */
  readonly insnOff: number;
  /** File name as passed to the compiler, cut after 1,000 bytes. Not escaped. */
  readonly file: string;
  readonly line: number;
  readonly column: number;
  /** Source text, cut after 1,000 bytes; empty if the compiler could not read it. Not escaped. */
  readonly text: string;
};

/** Maximum bytes of a text, since thousands of records may refer to the same long string. */
const MAX_TEXT = 1000;

const lineIndex = memoized(({ ext, sections }: ObjectModel) =>
  buildPlaceIndex(
    ext.line.count,
    sections.count,
    (row) => ext.line.section[row] ?? -1,
    (row) => ext.line.insnOff[row] ?? 0,
  ),
);

/** Returns the line of record `row`; line 0 and empty texts if the record does not exist. */
export function sourceLine(model: ObjectModel, row: number): SourceLine {
  const { line } = model.ext;
  const lineCol = line.lineCol[row] ?? 0;
  return {
    insnOff: line.insnOff[row] ?? 0,
    file: text(model, line.fileNameOff[row] ?? 0),
    line: lineCol >>> 10,
    column: lineCol & 0x3ff,
    text: text(model, line.lineOff[row] ?? 0),
  };
}

function text({ types }: ObjectModel, offset: number): string {
  if (types === null) return '';
  const start = stringAt(types, offset, MAX_TEXT);
  // A character of the decoded text takes at most four bytes.
  const isShort = start.length < MAX_TEXT / 4;
  return isShort || stringAt(types, offset, MAX_TEXT + 4) === start ? start : `${start}…`;
}

/** Returns the source line at `insnOff`, or null. `exact`: true if its record begins there. */
export function lineAt(
  model: ObjectModel,
  section: SectionIndex,
  insnOff: number,
): (SourceLine & { readonly exact: boolean }) | null {
  const row = rowAtOrBefore(lineIndex(model), section, insnOff);
  if (row === null) return null;
  const line = sourceLine(model, row);
  const func = functionAt(model, section, insnOff);
  if (func !== null && line.insnOff < func.start) return null;
  return { ...line, exact: line.insnOff === insnOff };
}

/**
 * Returns the rows of the section's line records from offset `start` to before `end`, in bytes,
 * sorted by offset, as a view without a copy.
 */
export function lineRowsOf(
  model: ObjectModel,
  section: SectionIndex,
  start = 0,
  end = Infinity,
): Uint32Array {
  return rowsBetween(lineIndex(model), section, start, end);
}

/** Maximum line records of a function in which `lineThatUses` searches. */
const MAX_SEARCHED = 10_000;

/**
 * Returns the source line that uses `name` at an instruction: the line of the instruction, or the
 * only line of its function that has the name, since a compiler may move the instruction to another
 * line. Null if there is no such line, if there are several, or if the function is very long.
 */
export function lineThatUses(
  model: ObjectModel,
  section: SectionIndex,
  insnOff: number,
  name: string,
): SourceLine | null {
  const line = lineAt(model, section, insnOff);
  if (line === null || hasWord(line.text, name)) return line;
  const func = functionAt(model, section, insnOff);
  const rows = func === null ? [] : rowsBetween(lineIndex(model), section, func.start, func.end);
  if (rows.length > MAX_SEARCHED) return null;
  const lines = new Map<number, SourceLine>();
  for (const row of rows) {
    const other = sourceLine(model, row);
    if (hasWord(other.text, name)) lines.set(other.line, other);
  }
  const [only = null] = lines.values();
  return lines.size === 1 ? only : null;
}

const LETTER = /\w/;

/** Returns true if `text` has `name` as a whole word; `name` may be a megabyte. */
function hasWord(text: string, name: string): boolean {
  if (name === '') return true;
  for (let at = text.indexOf(name); at >= 0; at = text.indexOf(name, at + 1)) {
    const [before = '', after = ''] = [text[at - 1], text[at + name.length]];
    if (!LETTER.test(before) && !LETTER.test(after)) return true;
  }
  return false;
}
