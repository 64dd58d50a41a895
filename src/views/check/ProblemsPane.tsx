import { CircleX } from 'lucide-react';
import { useMemo, useState } from 'react';
import type { Problem } from '#analysis/kernel/verdict.ts';
import {
  type CheckStage,
  checkedType,
  checkSpan,
  type FileCheck,
} from '#analysis/libbpf/file-check.ts';
import { typeTitle } from '#analysis/types/type-name.ts';
import { addTo } from '#bytes/cache.ts';
import type { Span } from '#bytes/span.ts';
import { drawnName } from '#bytes/text.ts';
import type { TypeId } from '#model/ids.ts';
import type { Selection } from '#model/selection.ts';
import { kindOf, type TypeTable } from '#model/type-table.ts';
import { select } from '#store/address/navigation.ts';
import { CopyButton } from '#ui/CopyButton.tsx';
import { grouped } from '#ui/grouped.ts';
import { Segmented } from '#ui/inputs.tsx';
import { rowRenderer } from '#ui/VirtualList.tsx';
import { KindBadge } from '#views/parts/KindBadge.tsx';
import { ListPane } from '#views/parts/ListPane.tsx';
import { Name } from '#views/parts/Name.tsx';
import { countOf } from '#views/parts/number-text.ts';
import { offsetCell } from '#views/parts/Offset.tsx';
import { ShowBytes } from '#views/parts/SelectButton.tsx';
import { CheckedTypeLink, Detail, placeFacts, type StageProps } from './Detail.tsx';
import styles from './ProblemsPane.module.css';
import { isSelected, problemReport, shownProblems } from './verdicts.ts';

const GROUPINGS = { type: 'By type', rule: 'By rule' } as const;

/** Shows the problems of one stage: a grouped list, and one problem in detail. */
export function ProblemsPane({ active, check, stage }: StageProps) {
  const { model, selection } = active;
  const { types } = model;
  const [by, setBy] = useState<ByFilter>('all');
  // Chosen row. The selection does not identify it if it is a group or a problem without bytes.
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
    () =>
      rowRenderer(rows, (row) => (
        <ProblemRow row={row} check={check} stage={stage} types={types} />
      )),
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
            label="Rejected by"
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
      rowHeight={46}
      selectedIndex={index < 0 ? null : index}
      onSelect={(at) => go(at)}
      onActivate={(at) => go(at, 'bytes')}
      renderRow={renderRow}
      emptyText="No problems"
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

function byOptions(
  problems: readonly Problem[],
  { verdict }: CheckStage,
): Record<ByFilter, string> {
  const { all, kernel, libbpf } = countsBy(problems);
  const isCut = verdict.moreProblems > 0;
  const count = (value: number, isMore: boolean) => `${grouped(value)}${isMore ? '+' : ''}`;
  return {
    all: `All ${count(all, isCut)}`,
    kernel: `Kernel ${count(kernel, isCut)}`,
    libbpf: `libbpf ${count(libbpf, isCut && verdict.libbpf.verdict === 'refused')}`,
  };
}

type GroupDetailProps = {
  readonly row: GroupRow;
  readonly check: FileCheck;
  readonly types: TypeTable | null;
};

/** Shows what the problems of a group have in common. */
function GroupDetail({ row, check, types }: GroupDetailProps) {
  const { grouping, first, count, where } = row;
  const mark = countOf(count, 'problem');
  if (grouping === 'rule') {
    return (
      <Detail
        mark={`${mark} with one rule`}
        title={drawnName(first.rule)}
        facts={[
          { term: 'Log', value: drawnName(first.word) || 'not logged', isMono: true },
          { term: 'Source', value: drawnName(where.join(', ')), isMono: true },
        ]}
      />
    );
  }
  const { typeId } = first;
  return (
    <Detail
      mark={`${mark} ${typeId === null ? 'with the blob' : 'with one type'}`}
      title={
        typeId === null ? (
          'The blob as a whole: its header and its sections'
        ) : (
          <CheckedTypeLink check={check} types={types} id={typeId} />
        )
      }
      facts={[]}
    />
  );
}

type ProblemDetailProps = StageProps & { readonly problem: Problem };

function ProblemDetail({ active, check, stage, problem }: ProblemDetailProps) {
  const { sentence, rule, where, word, by } = problem;
  const span = checkSpan(check, stage, problem);
  return (
    <Detail
      mark={<JudgeMark by={by} />}
      title={drawnName(sentence)}
      line={drawnName(rule)}
      actions={
        <>
          <ShowBytes span={span} />
          <CopyButton
            text={() => problemReport(active.model.name, problem, span)}
            label="Copy as text"
          />
        </>
      }
      facts={[
        {
          term: by === 'libbpf' ? 'libbpf log' : 'Kernel log',
          value: word === '' ? 'not logged' : <code>{drawnName(word)}</code>,
          isMono: word !== '',
        },
        { term: 'Source', value: drawnName(where), isMono: true },
        ...placeFacts(active, check, stage, problem),
      ]}
    />
  );
}

type ProblemRowProps = Omit<StageProps, 'active'> & {
  readonly row: Row;
  readonly types: TypeTable | null;
};

function ProblemRow({ row, check, stage, types }: ProblemRowProps) {
  if (row.kind === 'group') return <GroupLine row={row} check={check} types={types} />;
  const { problem } = row;
  const span = checkSpan(check, stage, problem);
  return (
    <span className={styles.row}>
      <span className={styles.sentence}>{drawnName(problem.sentence)}</span>
      <span className="row gap-3 shrink small muted">
        <JudgeMark by={problem.by} />
        {problem.word === '' ? null : (
          <code className={styles.word}>{drawnName(problem.word)}</code>
        )}
        {span === null ? null : <span className={styles.offset}>{offsetCell(span.start)}</span>}
      </span>
    </span>
  );
}

function GroupLine({ row: { grouping, first, count }, check, types }: GroupDetailProps) {
  return (
    <span className={styles.group}>
      {grouping === 'rule' ? (
        <span className={styles.rule}>{drawnName(first.rule)}</span>
      ) : (
        <TypeTitle check={check} types={types} id={first.typeId} />
      )}
      <span className="rigid at-end small muted">{countOf(count, 'problem')}</span>
    </span>
  );
}

type TypeTitleProps = Omit<GroupDetailProps, 'row'> & { readonly id: number | null };

function TypeTitle({ check, types, id }: TypeTitleProps) {
  if (id === null) return <span className={styles.rule}>The blob as a whole</span>;
  const type = checkedType(check, types, id);
  return (
    <span className="row gap-2 shrink">
      {types === null || type === null ? (
        <span className={styles.name}>unreadable type</span>
      ) : (
        <>
          <KindBadge kind={kindOf(types, type)} decorative />
          <span className={styles.name}>
            <Name text={typeTitle(types, type)} />
          </span>
        </>
      )}
      <span className="rigid small mono muted">[{id}]</span>
    </span>
  );
}

const FACES = {
  kernel: { tone: 'danger', words: 'Kernel' },
  libbpf: { tone: 'warning', words: 'libbpf' },
  both: { tone: 'danger', words: 'Kernel and libbpf' },
} as const;

/** Shows who rejects the BTF: the kernel or libbpf. */
function JudgeMark({ by }: { readonly by: Problem['by'] }) {
  const { tone, words } = FACES[by];
  return (
    <span className={styles.mark} data-tone={tone}>
      <CircleX size={13} aria-hidden />
      {words}
    </span>
  );
}

/** Filter by who rejects the BTF. Problems for both kernel and libbpf pass all filters. */
type ByFilter = 'all' | 'kernel' | 'libbpf';
type Grouping = 'type' | 'rule';

type ListedProblem = { readonly kind: 'problem'; readonly problem: Problem };

type GroupRow = {
  readonly kind: 'group';
  readonly grouping: Grouping;
  readonly first: Problem;
  readonly count: number;
  readonly where: readonly string[];
};

type Row = ListedProblem | GroupRow;

/** Returns the number of problems that pass each filter. */
export function countsBy(problems: readonly Problem[]): Readonly<Record<ByFilter, number>> {
  return {
    all: problems.length,
    kernel: problems.filter(({ by }) => by !== 'libbpf').length,
    libbpf: problems.filter(({ by }) => by !== 'kernel').length,
  };
}

/** Returns the grouping that has fewer groups. */
export function firstGrouping(problems: readonly Problem[]): Grouping {
  const groups = (grouping: Grouping) => new Set(problems.map((p) => groupKey(p, grouping))).size;
  return groups('rule') < groups('type') ? 'rule' : 'type';
}

/** Returns the rows: each group has a heading. Groups are in the order of their first problem. */
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

/** Functions that return the bytes and the type of a problem. */
type Places = {
  readonly spanOf: (problem: Problem) => Span | null;
  readonly typeOf: (problem: Problem) => TypeId | null;
};

/** Returns the row `read` if it agrees with the selection, else the selected or first problem. */
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

/** Returns true if both rows are the same problem, or headings of the same group. */
function sameRow(a: Row, b: Row): boolean {
  if (a.kind === 'group') {
    return b.kind === 'group' && a.first === b.first && a.grouping === b.grouping;
  }
  return b.kind === 'problem' && a.problem === b.problem;
}

/** Returns true if the bytes of the row are selected, or if the row has no bytes. */
function agrees(row: Row, selection: Selection, places: Places): boolean {
  if (row.kind === 'group') return true;
  const span = places.spanOf(row.problem);
  return span === null || isSelected(selection, span);
}
