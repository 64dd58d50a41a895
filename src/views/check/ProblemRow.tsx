import { CircleX } from 'lucide-react';
import {
  type CheckStage,
  checkedType,
  checkSpan,
  type FileCheck,
} from '#analysis/check/file-check.ts';
import type { Problem } from '#analysis/check/verdict.ts';
import { typeTitle } from '#analysis/types/type-name.ts';
import { drawnName } from '#bytes/text.ts';
import { kindOf, type TypeTable } from '#model/type-table.ts';
import { KindBadge } from '#views/parts/KindBadge.tsx';
import { Name } from '#views/parts/Name.tsx';
import { countOf, hexText } from '#views/parts/number-text.ts';
import styles from './ProblemRow.module.css';
import type { GroupRow, Row } from './problem-rows.ts';

type ProblemRowProps = {
  readonly row: Row;
  readonly check: FileCheck;
  readonly stage: CheckStage;
  readonly types: TypeTable | null;
};

/** One line of the list: the heading of a group, or what is wrong, by whom and where. */
export function ProblemRow({ row, check, stage, types }: ProblemRowProps) {
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
        {span === null ? null : <span className={styles.offset}>{hexText(span.start)}</span>}
      </span>
    </span>
  );
}

type GroupLineProps = {
  readonly row: GroupRow;
  readonly check: FileCheck;
  readonly types: TypeTable | null;
};

function GroupLine({ row: { grouping, first, count }, check, types }: GroupLineProps) {
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

type TypeTitleProps = {
  readonly check: FileCheck;
  readonly types: TypeTable | null;
  readonly id: number | null;
};

function TypeTitle({ check, types, id }: TypeTitleProps) {
  if (id === null) return <span className={styles.rule}>The blob as a whole</span>;
  const type = checkedType(check, types, id);
  return (
    <span className="row gap-2 shrink">
      {types === null || type === null ? null : <KindBadge kind={kindOf(types, type)} decorative />}
      <span className={styles.name}>
        {types === null || type === null ? (
          'unreadable type'
        ) : (
          <Name text={typeTitle(types, type)} />
        )}
      </span>
      <span className="rigid small mono muted">[{id}]</span>
    </span>
  );
}

const FACES = {
  kernel: { tone: 'danger', words: 'Kernel' },
  libbpf: { tone: 'warning', words: 'libbpf' },
  both: { tone: 'danger', words: 'Kernel and libbpf' },
} as const;

/** Who rejects it. */
export function JudgeMark({ by }: { readonly by: Problem['by'] }) {
  const { tone, words } = FACES[by];
  return (
    <span className={styles.mark} data-tone={tone}>
      <CircleX size={13} aria-hidden />
      {words}
    </span>
  );
}
