/** Which lines of a comparison are shown, and which of them are stops of the keys `n` and `p`. */
import { type ComparedLine, isNews } from '#analysis/compare/compare-types.ts';

/** What a line is marked as: its strongest change. */
export type LineMark = 'added' | 'removed' | 'changed' | 'moved' | 'inside' | 'same';

/** The mark of a line; `inside` and `moved`, which something above explains, only where nothing else is changed. */
export function markOf({ a, b, changes }: ComparedLine): LineMark {
  if (a === null) return 'added';
  if (b === null) return 'removed';
  if (changes.some((change) => change.what !== 'inside' && isNews(change))) return 'changed';
  if (changes.some(({ what }) => what === 'inside')) return 'inside';
  return changes.length > 0 ? 'moved' : 'same';
}

/** Rows of the lines that are shown: all, or those that differ with the anonymous types that they are in. */
export function shownLines(
  lines: readonly ComparedLine[],
  onlyChanged: boolean,
): readonly number[] {
  const all = lines.map((_, i) => i);
  if (!onlyChanged) return all;
  return all.filter((i) => {
    const line = lines[i];
    return line !== undefined && markOf(line) !== 'same';
  });
}

/** Rows among `shown` where a difference is worth a stop: moves that follow from others are none. */
export function stopsOf(
  lines: readonly ComparedLine[],
  shown: readonly number[],
): readonly number[] {
  const stops: number[] = [];
  for (const [row, index] of shown.entries()) {
    const line = lines[index];
    const mark = line === undefined ? 'same' : markOf(line);
    if (mark !== 'same' && mark !== 'moved') stops.push(row);
  }
  return stops;
}

/** The stop after or before `row` (-1 = before the first), going round at the ends; null where there is none. */
export function stopAfter(
  stops: readonly number[],
  row: number | null,
  direction: 1 | -1,
): number | null {
  const [first] = stops;
  const last = stops.at(-1);
  if (first === undefined || last === undefined) return null;
  if (direction === 1) return stops.find((stop) => stop > (row ?? -1)) ?? first;
  return stops.findLast((stop) => stop < (row ?? Number.POSITIVE_INFINITY)) ?? last;
}
