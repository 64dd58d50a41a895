/**
 * A range of the file cut into rows of a table and what lies between them, for
 * tables too large to be gone through each time. Four and eight bytes a part.
 */
import { type FieldList, type StructureField, sequence } from '#analysis/fields/field.ts';
import { keptIn, oncePer } from '#bytes/keep.ts';
import type { Span } from '#bytes/span.ts';

export type Partition = {
  /** File offset of each part, and of the end of the last. */
  readonly starts: Float64Array;
  /** The row of each part; -1 between rows. */
  readonly rows: Int32Array;
};

/** Where a row lies, in file offsets. */
export type Placed = { readonly row: number; readonly start: number; readonly end: number };

/**
 * Cuts `whole` at rows that come in order of their starts. A row that begins
 * inside one before it, or leaves `whole`, is left out.
 */
export function partition(whole: Span, placed: Iterable<Placed>): Partition {
  const starts: number[] = [];
  const rows: number[] = [];
  let at = whole.start;
  const add = (start: number, row: number) => {
    starts.push(start);
    rows.push(row);
  };
  for (const { row, start, end } of placed) {
    if (start < at || end > whole.end || start >= end) continue;
    if (start > at) add(at, -1);
    add(start, row);
    at = end;
  }
  if (at < whole.end) add(at, -1);
  starts.push(whole.end);
  return { starts: Float64Array.from(starts), rows: Int32Array.from(rows) };
}

/** The parts as fields. */
export function partitionFields(
  { starts, rows }: Partition,
  make: (row: number, span: Span) => StructureField,
  between: (span: Span) => StructureField,
): FieldList {
  return sequence(
    rows.length,
    (i) => starts[i] ?? 0,
    (i) => {
      const span = { start: starts[i] ?? 0, end: starts[i + 1] ?? 0 };
      const row = rows[i] ?? -1;
      return row < 0 ? between(span) : make(row, span);
    },
  );
}

/** Keeps what is made of a key for as long as the key lives. */
export function keeper<K extends object, V>(): (key: K, number: number, make: () => V) => V {
  const byNumber = oncePer((_: K) => new Map<number, V>());
  return (key, number, make) => keptIn(byNumber(key), number, make);
}
