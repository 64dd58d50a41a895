/** Indexes table rows by section and offset: sorts them by section (counting sort), for binary searches. */
import { lowerBound } from '#bytes/arrays.ts';
import { finish, isRest, type Steps } from '#bytes/long-work.ts';
import type { SectionIndex } from '#model/ids.ts';

export type PlaceIndex = {
  /** The rows of section `i` are `rows[starts[i]]` to `rows[starts[i + 1] - 1]`. */
  readonly starts: Uint32Array;
  readonly rows: Uint32Array;
  /** Offset of each row in `rows`, in bytes from the start of the section. */
  readonly offsets: Float64Array;
};

/**
 * Returns an index of `count` rows by section and `offsetOf`, in bytes. Omits rows whose section is
 * not below `sectionCount`. Rows with equal offsets stay in table order.
 */
export function buildPlaceIndex(
  count: number,
  sectionCount: number,
  sectionOf: (row: number) => number,
  offsetOf: (row: number) => number,
): PlaceIndex {
  return finish(placeIndexSteps(count, sectionCount, sectionOf, offsetOf));
}

/** Returns the index of `buildPlaceIndex`, and pauses between steps. */
export function* placeIndexSteps(
  count: number,
  sectionCount: number,
  sectionOf: (row: number) => number,
  offsetOf: (row: number) => number,
): Steps<PlaceIndex> {
  const starts = new Uint32Array(sectionCount + 1);
  for (let row = 0; row < count; row++) {
    if (isRest(row)) yield;
    const section = sectionOf(row);
    if (section >= 0 && section < sectionCount)
      starts[section + 1] = (starts[section + 1] ?? 0) + 1;
  }
  for (let i = 0; i < sectionCount; i++) starts[i + 1] = (starts[i + 1] ?? 0) + (starts[i] ?? 0);
  const total = starts[sectionCount] ?? 0;
  const rows = new Uint32Array(total);
  const offsets = new Float64Array(total);
  const fill = starts.slice();
  for (let row = 0; row < count; row++) {
    if (isRest(row)) yield;
    const section = sectionOf(row);
    if (section < 0 || section >= sectionCount) continue;
    const at = fill[section] ?? 0;
    rows[at] = row;
    offsets[at] = offsetOf(row);
    fill[section] = at + 1;
  }
  for (let i = 0; total > 0 && i < sectionCount; i++) {
    if (isRest(i)) yield;
    sortRange(rows, offsets, starts[i] ?? 0, starts[i + 1] ?? 0);
  }
  return { starts, rows, offsets };
}

/** A table of `.BTF.ext` whose records have a section and an offset. */
type Records = {
  readonly count: number;
  readonly section: Int32Array;
  readonly insnOff: Uint32Array;
};

/** Returns an index of `.BTF.ext` records by section and byte offset, in resumable steps. */
export function recordIndexSteps(records: Records, sectionCount: number): Steps<PlaceIndex> {
  const { count, section, insnOff } = records;
  return placeIndexSteps(
    count,
    sectionCount,
    (row) => section[row] ?? -1,
    (row) => insnOff[row] ?? 0,
  );
}

/** Sorts part of `rows` by offset. Compilers mostly write sorted rows, which take linear time. */
function sortRange(rows: Uint32Array, offsets: Float64Array, start: number, end: number): void {
  let sorted = true;
  for (let i = start + 1; i < end && sorted; i++) {
    sorted = (offsets[i - 1] ?? 0) <= (offsets[i] ?? 0);
  }
  if (sorted) return;
  const order = Uint32Array.from({ length: end - start }, (_, i) => start + i);
  order.sort((a, b) => (offsets[a] ?? 0) - (offsets[b] ?? 0) || a - b);
  const sortedRows = Uint32Array.from(order, (i) => rows[i] ?? 0);
  const sortedOffsets = Float64Array.from(order, (i) => offsets[i] ?? 0);
  rows.set(sortedRows, start);
  offsets.set(sortedOffsets, start);
}

/** Returns a view of the rows of `section` from `start` to `end` (exclusive), ordered by offset. */
export function rowsBetween(
  index: PlaceIndex,
  section: SectionIndex,
  start: number,
  end: number,
): Uint32Array {
  const from = rowFrom(index, section, start);
  return index.rows.subarray(from, Math.max(from, rowFrom(index, section, end)));
}

/** Returns the last row of `section` at or before `offset`, or null. */
export function rowAtOrBefore(
  index: PlaceIndex,
  section: SectionIndex,
  offset: number,
): number | null {
  const at = rowFrom(index, section, offset + 1) - 1;
  return at < (index.starts[section] ?? 0) ? null : (index.rows[at] ?? null);
}

/** Returns the index in `rows` of the first row of `section` at or after `offset`. */
export function rowFrom(
  { starts, offsets }: PlaceIndex,
  section: SectionIndex,
  offset: number,
): number {
  const first = starts[section] ?? 0;
  return lowerBound(offsets, offset, first, starts[section + 1] ?? first);
}
