/** Divides a range of the file into table rows and gaps. Needs 12 bytes of memory per row. */
import { type FieldList, type StructureField, sequence } from '#analysis/fields/field.ts';
import { getOrCreate, memoized } from '#bytes/cache.ts';
import type { Span } from '#bytes/span.ts';

export type Partition = {
  /** File offset at which each part begins, and the end of the last part. */
  readonly starts: Float64Array;
  /** Table row by part; -1 for a gap. */
  readonly rows: Int32Array;
};

/** A table row and its range in the file. */
export type Placed = { readonly row: number; readonly start: number; readonly end: number };

/** Divides `whole` into rows and gaps. `placed` is sorted. Omits overlapping and outside rows. */
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

/** Returns the rows and gaps as fields. */
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

/** Returns a cache of values by key and number. A value is cached as long as its key exists. */
export function keeper<K extends object, V>(): (key: K, number: number, make: () => V) => V {
  const byNumber = memoized((_: K) => new Map<number, V>());
  return (key, number, make) => getOrCreate(byNumber(key), number, make);
}
