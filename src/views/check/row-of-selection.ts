/** Which row of the problems is open: the one clicked, or the one that the selection is about. */
import type { Problem } from '#analysis/check/verdict.ts';
import type { Span } from '#bytes/span.ts';
import type { TypeId } from '#model/ids.ts';
import type { Selection } from '#model/selection.ts';
import type { Row } from './problem-rows.ts';
import { isSelected } from './stages.ts';

/** Where a problem is in the file and in its types. */
export type Places = {
  readonly spanOf: (problem: Problem) => Span | null;
  readonly typeOf: (problem: Problem) => TypeId | null;
};

/** `read` as long as it is listed and nothing else was selected since; else what the selection is about, else the first problem. */
export function openRow(
  rows: readonly Row[],
  read: Row | null,
  selection: Selection,
  places: Places,
): Row | null {
  const known = read === null ? undefined : rows.find((row) => sameRow(row, read));
  if (known !== undefined && agrees(known, selection, places)) return known;
  const problems = rows.filter((row) => row.kind === 'problem');
  return (
    problems.find(({ problem }) => isSelected(selection, places.spanOf(problem))) ??
    problems.find(
      ({ problem }) => selection.kind === 'type' && places.typeOf(problem) === selection.type,
    ) ??
    problems[0] ??
    null
  );
}

/** Are they the same problem, or headings of the same group? */
export function sameRow(a: Row, b: Row): boolean {
  if (a.kind === 'group') {
    return b.kind === 'group' && a.first === b.first && a.grouping === b.grouping;
  }
  return b.kind === 'problem' && a.problem === b.problem;
}

/** A problem with bytes was selected by them; a group, and one without, by no more than a click. */
function agrees(row: Row, selection: Selection, places: Places): boolean {
  if (row.kind === 'group') return true;
  const span = places.spanOf(row.problem);
  return span === null || isSelected(selection, span);
}
