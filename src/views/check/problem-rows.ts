/** The list of problems: which to show, in which groups, as rows of one list. */

import type { Problem } from '#analysis/check/verdict.ts';
import { addTo } from '#bytes/keep.ts';
import type { Span } from '#bytes/span.ts';
import type { TypeId } from '#model/ids.ts';
import type { Selection } from '#model/selection.ts';
import { isSelected } from './stages.ts';

/** Problems that both have are shown for each. */
export type ByFilter = 'all' | 'kernel' | 'libbpf';
export type Grouping = 'type' | 'rule';

export type ProblemRow = { readonly kind: 'problem'; readonly problem: Problem };

export type GroupRow = {
  readonly kind: 'group';
  readonly grouping: Grouping;
  /** The first of the group: its type or rule is that of all. */
  readonly first: Problem;
  readonly count: number;
  /** Where their rules are written, each place once. */
  readonly where: readonly string[];
};

export type Row = ProblemRow | GroupRow;

/** How many pass each filter. */
export function countsBy(problems: readonly Problem[]): Readonly<Record<ByFilter, number>> {
  return {
    all: problems.length,
    kernel: problems.filter(({ by }) => by !== 'libbpf').length,
    libbpf: problems.filter(({ by }) => by !== 'kernel').length,
  };
}

/** The grouping that says more with less: one of many types breaks one rule, or one type many. */
export function firstGrouping(problems: readonly Problem[]): Grouping {
  const groups = (grouping: Grouping) => new Set(problems.map((p) => groupKey(p, grouping))).size;
  return groups('rule') < groups('type') ? 'rule' : 'type';
}

/** Groups in the order in which the check comes to the first of each, and each headed by its own row. */
export function problemRows(
  problems: readonly Problem[],
  filter: ByFilter,
  grouping: Grouping,
): readonly Row[] {
  const groups = new Map<string, Problem[]>();
  for (const problem of problems) {
    if (filter !== 'all' && problem.by !== 'both' && problem.by !== filter) continue;
    addTo(groups, groupKey(problem, grouping), problem);
  }
  const rows: Row[] = [];
  for (const group of groups.values()) {
    const [first] = group;
    if (first === undefined) continue;
    const where = [...new Set(group.map((problem) => problem.where))];
    rows.push({ kind: 'group', grouping, first, count: group.length, where });
    for (const problem of group) rows.push({ kind: 'problem', problem });
  }
  return rows;
}

function groupKey({ typeId, word, rule }: Problem, grouping: Grouping): string {
  return grouping === 'type' ? `${typeId}` : `${word}\n${rule}`;
}

/** Which row of the problems is open: the one clicked, or the one that the selection is about. Where a problem is in the file and in its types. */
type Places = {
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
