/** The source line of an instruction, from the record before it: "BTF Type Format", section 4.2. */
import { functionAt } from '#analysis/objects/functions.ts';
import { buildPlaceIndex, rowAtOrBefore, rowsBetween } from '#analysis/objects/place-index.ts';
import { memoized } from '#bytes/cache.ts';
import type { SectionIndex } from '#model/ids.ts';
import type { ObjectModel } from '#model/object-model.ts';
import { stringAt } from '#model/type-table.ts';

export type SourceLine = {
  /** Bytes from the start of the section to the first instruction of the record. */
  readonly insnOff: number;
  /** File name as passed to the compiler. Raw text, like `text`; both are cut with `…` after 1,000 bytes. */
  readonly file: string;
  readonly line: number;
  readonly column: number;
  /** Text of the line; empty if the compiler could not read the file. */
  readonly text: string;
};

/** Maximum bytes of a text: thousands of records may each refer to a megabyte. */
const MAX_TEXT = 1000;

const lineIndex = memoized(({ ext, sections }: ObjectModel) =>
  buildPlaceIndex(
    ext.line.count,
    sections.count,
    (row) => ext.line.section[row] ?? -1,
    (row) => ext.line.insnOff[row] ?? 0,
  ),
);

/** Returns record `row`. Total: a record that does not exist is line 0 of an empty file name. */
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
  // UTF-8 has up to four bytes per character.
  const isShort = start.length < MAX_TEXT / 4;
  return isShort || stringAt(types, offset, MAX_TEXT + 4) === start ? start : `${start}…`;
}

/** Returns the source line of the instruction at `insnOff`, or null; `exact`: a record is there. */
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

/** Returns the rows of the records of `section`, by offset, for `sourceLine`. A view, no copy. */
export function lineRowsOf(model: ObjectModel, section: SectionIndex): Uint32Array {
  return rowsBetween(lineIndex(model), section, 0, Infinity);
}
