/** Sorting a million rows with rests. */
import { isRest, type Steps } from './steps.ts';

/**
 * `rows` by `compare`, those that are equal in the order in which they came. A merge sort from
 * runs that are in order already, which most tables are as a whole: `rows` is then given back.
 */
export function* sortSteps(
  rows: Uint32Array,
  compare: (a: number, b: number) => number,
): Steps<Uint32Array> {
  let ends = yield* runEnds(rows, compare);
  let from = rows;
  while (ends.length > 1) {
    const to = new Uint32Array(rows.length);
    const merged: number[] = [];
    for (let i = 0, start = 0; i < ends.length; i += 2) {
      const middle = ends[i] ?? start;
      const end = ends[i + 1] ?? middle;
      yield* mergeInto(to, from, { start, middle, end }, compare);
      merged.push(end);
      start = end;
    }
    ends = merged;
    from = to;
  }
  return from;
}

/** Where each run of rows that do not fall ends. */
function* runEnds(
  rows: Uint32Array,
  compare: (a: number, b: number) => number,
): Steps<readonly number[]> {
  const ends: number[] = [];
  for (let i = 1; i < rows.length; i++) {
    if (isRest(i)) yield;
    if (compare(rows[i - 1] ?? 0, rows[i] ?? 0) > 0) ends.push(i);
  }
  ends.push(rows.length);
  return ends;
}

type TwoRuns = { readonly start: number; readonly middle: number; readonly end: number };

function* mergeInto(
  to: Uint32Array,
  from: Uint32Array,
  { start, middle, end }: TwoRuns,
  compare: (a: number, b: number) => number,
): Steps<void> {
  let [left, right] = [start, middle];
  for (let at = start; at < end; at++) {
    if (isRest(at)) yield;
    const isLeft =
      right >= end || (left < middle && compare(from[left] ?? 0, from[right] ?? 0) <= 0);
    to[at] = from[isLeft ? left++ : right++] ?? 0;
  }
}
