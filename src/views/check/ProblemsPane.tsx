import { useMemo, useState } from 'react';
import {
  type CheckStage,
  checkedType,
  checkSpan,
  type FileCheck,
} from '#analysis/check/file-check.ts';
import type { Problem } from '#analysis/check/verdict.ts';
import type { Active } from '#store/hooks.ts';
import { select } from '#store/navigation.ts';
import { grouped } from '#ui/grouped.ts';
import { Segmented } from '#ui/Segmented.tsx';
import { countOf } from '#views/parts/number-text.ts';
import { GroupDetail } from './GroupDetail.tsx';
import { ListPane } from './ListPane.tsx';
import { ProblemDetail } from './ProblemDetail.tsx';
import { ProblemRow } from './ProblemRow.tsx';
import {
  type ByFilter,
  countsBy,
  firstGrouping,
  type Grouping,
  problemRows,
  type Row,
} from './problem-rows.ts';
import { openRow, sameRow } from './row-of-selection.ts';
import { shownProblems } from './stages.ts';

const GROUPINGS = [
  { value: 'type', label: 'By type' },
  { value: 'rule', label: 'By rule' },
] as const;

type ProblemsPaneProps = {
  readonly active: Active;
  readonly check: FileCheck;
  readonly stage: CheckStage;
};

/** All that is wrong with the blob of one stage: a list in groups, and one problem in full. */
export function ProblemsPane({ active, check, stage }: ProblemsPaneProps) {
  const { model, selection } = active;
  const { types } = model;
  const [by, setBy] = useState<ByFilter>('all');
  // A group is no row of the model, nor is a problem without bytes: the selection cannot name them.
  const [read, setRead] = useState<Row | null>(null);
  const problems = useMemo(() => shownProblems(stage), [stage]);
  const [grouping, setGrouping] = useState<Grouping>(() => firstGrouping(problems));
  const rows = useMemo(() => problemRows(problems, by, grouping), [problems, by, grouping]);
  const spanOf = (problem: Problem) => checkSpan(check, stage, problem);
  const open = openRow(rows, read, selection, {
    spanOf,
    typeOf: ({ typeId }) => checkedType(check, types, typeId),
  });
  const index = open === null ? -1 : rows.findIndex((row) => sameRow(row, open));
  const renderRow = useMemo(
    () => (at: number) => {
      const row = rows[at];
      return row === undefined ? null : (
        <ProblemRow row={row} check={check} stage={stage} types={types} />
      );
    },
    [rows, check, stage, types],
  );
  const go = (at: number, view?: 'bytes') => {
    const row = rows[at];
    if (row === undefined) return;
    setRead(row);
    const span = row.kind === 'problem' ? spanOf(row.problem) : null;
    if (span !== null) select({ kind: 'bytes', start: span.start, end: span.end }, view);
  };
  const { moreProblems } = stage.verdict;

  return (
    <ListPane
      label="Problems"
      toolbar={
        <>
          <Segmented
            label="Refused by"
            options={byOptions(problems, stage)}
            value={by}
            onChange={(value) => {
              setBy(value);
              setRead(null);
            }}
          />
          <Segmented
            label="Group the problems"
            options={GROUPINGS}
            value={grouping}
            onChange={(value) => {
              setGrouping(value);
              if (read?.kind === 'group') setRead(null);
            }}
          />
        </>
      }
      count={rows.length}
      selectedIndex={index < 0 ? null : index}
      onSelect={(at) => go(at)}
      onActivate={(at) => go(at, 'bytes')}
      renderRow={renderRow}
      emptyText="It refuses none of this"
      more={moreProblems === 0 ? '' : `and ${countOf(moreProblems, 'more problem')}`}
      detail={
        open === null ? null : open.kind === 'group' ? (
          <GroupDetail row={open} check={check} types={types} />
        ) : (
          <ProblemDetail active={active} check={check} stage={stage} problem={open.problem} />
        )
      }
    />
  );
}

function byOptions(problems: readonly Problem[], { verdict }: CheckStage) {
  const counts = countsBy(problems);
  const option = (value: ByFilter, word: string, isMore: boolean) => ({
    value,
    label: `${word} ${grouped(counts[value])}${isMore ? '+' : ''}`,
  });
  const isCut = verdict.moreProblems > 0;
  return [
    option('all', 'All', isCut),
    option('kernel', 'Kernel', isCut),
    option('libbpf', 'libbpf', isCut && verdict.libbpf.verdict === 'refused'),
  ];
}
