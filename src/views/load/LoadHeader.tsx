import { ChevronsLeftRight, Paperclip, RotateCw } from 'lucide-react';
import { memo, type ReactNode, useState } from 'react';
import { MATRIX_STATES } from '#analysis/core/matrix/matrix.ts';
import { OUTCOME_WORDS, OUTCOMES } from '#analysis/libbpf/outcome.ts';
import { type LoadTable, needsOf } from '#analysis/load/load-table.ts';
import { drawnName } from '#bytes/text.ts';
import { resolveCore } from '#store/kernels/core-results.ts';
import { useFreshCandidates } from '#store/kernels/core-view.ts';
import { attachFiles } from '#store/kernels/kernel-facts.ts';
import { judgePair } from '#store/kernels/load-results.ts';
import { type FileId, fileById, useSession } from '#store/session/session.ts';
import { Button } from '#ui/Button.tsx';
import { ColumnName, GridHeader, type GridLayout } from '#ui/CellGrid.tsx';
import type { StatusTone } from '#ui/tone.ts';
import { OUTCOME_TONES, STATE_TONES, StateMark } from '#views/parts/core/StateMark.tsx';
import { countOf } from '#views/parts/number-text.ts';
import { useFileDrop } from '#views/parts/use-file-drop.ts';
import { countsText, loadsOn, worstState } from './cell-text.ts';
import { type FactsMenu, KernelMenu } from './KernelMenu.tsx';
import styles from './LoadHeader.module.css';
import {
  type ColumnGroup,
  columnFraction,
  type ShownLoad,
  type TargetColumn,
  taskOf,
  verdictOf,
} from './use-load.ts';

type LoadHeaderProps = Pick<ShownLoad, 'object' | 'matrix' | 'table' | 'settings'> & {
  readonly layout: GridLayout;
  readonly corner: ReactNode;
  readonly menu: FactsMenu;
  readonly shown: readonly ColumnGroup[];
  readonly onUnfold: (group: ColumnGroup) => void;
};

/** Shows the name of each kernel, its progress or summary, and the menu of its facts. */
export function LoadHeader(props: LoadHeaderProps) {
  const { object, shown, matrix, table, settings, layout, menu, corner, onUnfold } = props;
  return (
    <GridHeader {...layout} corner={corner}>
      {shown.slice(layout.first, layout.end).map((group, i) => {
        const { first, columns } = group;
        const [column] = columns;
        const index = layout.first + i + 1;
        if (column === undefined) return null;
        return columns.length > 1 ? (
          <GroupHead
            key={column.id}
            group={group}
            index={index}
            table={table}
            onUnfold={() => onUnfold(group)}
          />
        ) : (
          <TargetHead
            key={column.id}
            column={column}
            object={object}
            index={index}
            place={first}
            counts={matrix.columns[first]?.counts ?? NO_COUNTS}
            hasRecords={settings.withRecords && matrix.records.length > 0}
            table={table}
            isOpen={menu.kernel === column.id}
            onOpen={menu.open}
          />
        );
      })}
    </GridHeader>
  );
}

type GroupHeadProps = Pick<TargetHeadProps, 'index' | 'table'> & {
  readonly group: ColumnGroup;
  readonly onUnfold: () => void;
};

/** Shows the first and the last of kernels with equal results, and a button that unfolds them. */
function GroupHead({ group: { first, columns }, index, table, onUnfold }: GroupHeadProps) {
  const names = columns.map(({ shortName }) => drawnName(shortName));
  const count = countOf(columns.length, 'kernel');
  return (
    <th
      scope="col"
      className={styles.target}
      style={{ gridColumn: index + 1 }}
      aria-colindex={index + 1}
      title={columns.map(({ name }) => drawnName(name)).join('\n')}
    >
      <span className={styles.title}>
        <ColumnName>
          <bdi>{names[0]}</bdi>–<bdi>{names.at(-1)}</bdi>
        </ColumnName>
        <Button
          size="small"
          variant="quiet"
          className={styles.unfold}
          aria-label={`Unfold ${count}: ${names.join(', ')}`}
          title={`Unfold ${count}`}
          onClick={onUnfold}
        >
          {columns.length}
          <ChevronsLeftRight size={13} aria-hidden />
        </Button>
      </span>
      {table === null ? null : <ProgramBar table={table} at={first} />}
    </th>
  );
}

const NO_COUNTS: readonly number[] = [];

type TargetHeadProps = {
  readonly column: TargetColumn;
  readonly object: FileId;
  /** Index of the column, from 1: column 0 has the names of the lines. */
  readonly index: number;
  /** Index of the kernel in the results. */
  readonly place: number;
  /** Number of CO-RE records in each state. */
  readonly counts: readonly number[];
  readonly hasRecords: boolean;
  /** Results of the programs; null if the table shows only CO-RE records. */
  readonly table: LoadTable | null;
  readonly isOpen: boolean;
  readonly onOpen: (kernel: FileId | null) => void;
};

/** Memoized, so that a kernel's header is drawn again only when its own results change. */
const TargetHead = memo(function TargetHead(props: TargetHeadProps) {
  const { index, column, isOpen, onOpen } = props;
  const { id, name, shortName, load } = column;
  const verdict = verdictOf(column);
  const isFile = useSession((state) => fileById(state, id) !== null);
  const [isOver, setOver] = useState(false);
  const drop = useFileDrop((files) => void attachFiles(id, files), setOver);
  return (
    <th
      scope="col"
      className={styles.target}
      style={{ gridColumn: index + 1 }}
      aria-colindex={index + 1}
      title={drawnName(name)}
      data-over={isOver}
      {...drop}
    >
      <span className={styles.title}>
        <ColumnName>
          <bdi>{drawnName(shortName)}</bdi>
        </ColumnName>
        {isFile ? (
          <KernelMenu
            kernel={id}
            name={name}
            notes={load?.step === 'ready' ? load.value.notes : []}
            needs={verdict === null ? [] : [...needsOf(verdict).keys()]}
            isOpen={isOpen}
            onOpen={onOpen}
            icon={Paperclip}
          />
        ) : null}
      </span>
      <ColumnState {...props} />
    </th>
  );
});

/** Shows the summary, the progress or the failure of a kernel. */
function ColumnState({ object, column, counts, hasRecords, table, place }: TargetHeadProps) {
  const fresh = useFreshCandidates();
  const { id, name, load } = column;
  const work = taskOf(column, hasRecords);
  const failed = [load, work].find((task) => task?.step === 'failed');
  if (failed?.step === 'failed') {
    const again = () => {
      if (load?.step === 'failed') void judgePair({ object, kernel: id });
      else void resolveCore({ object, target: id, fresh });
    };
    return (
      <Button
        size="small"
        variant="danger"
        className={styles.retry}
        title={drawnName(failed.issue.message)}
        aria-label={`Failed on ${drawnName(name)}: try again`}
        onClick={again}
        icon={RotateCw}
      >
        Failed, retry
      </Button>
    );
  }
  if (table !== null && load?.step === 'ready') return <ProgramBar table={table} at={place} />;
  switch (work?.step) {
    case undefined:
      return <span className={styles.words}>waiting</span>;
    case 'running':
      return <Running fraction={columnFraction(work)} name={name} />;
    default:
      return <StateBar counts={counts} />;
  }
}

function Running({ fraction, name }: { readonly fraction: number; readonly name: string }) {
  const percent = Math.round(100 * fraction);
  return (
    <span className="grid gap-hair">
      <span className={styles.words}>{percent} %</span>
      <span
        role="progressbar"
        className={styles.track}
        aria-label={drawnName(name)}
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={percent}
      >
        <span className={styles.done} style={{ width: `${percent}%` }} />
      </span>
    </span>
  );
}

type SummaryProps = {
  readonly title: string;
  readonly parts: readonly { readonly tone: StatusTone; readonly count: number }[];
  readonly children: ReactNode;
};

/** Shows the main result of a column, above a bar of all its results. */
function Summary({ title, parts, children }: SummaryProps) {
  const shown = parts.map((part, at) => ({ ...part, at })).filter(({ count }) => count > 0);
  return (
    <span className="grid gap-hair shrink wide nowrap" title={title}>
      {children}
      <span className={styles.bar} aria-hidden>
        {shown.map(({ at, tone, count }) => (
          <span key={at} className={styles.part} data-tone={tone} style={{ flexGrow: count }} />
        ))}
      </span>
    </span>
  );
}

/** Shows how many programs load on a kernel. */
function ProgramBar({ table, at }: { readonly table: LoadTable; readonly at: number }) {
  const loaded = table.programs.filter(({ autoload }) => autoload[at] === true);
  const outcomes = loaded.map((program) => program.outcomes[at] ?? null);
  const parts = OUTCOMES.slice(0, 3).map((outcome) => ({
    words: OUTCOME_WORDS[outcome],
    tone: OUTCOME_TONES[outcome],
    count: outcomes.filter((o) => o !== null && OUTCOME_WORDS[o] === OUTCOME_WORDS[outcome]).length,
  }));
  const title = parts.map(({ words, count }) => `${count} ${words}`).join(', ');
  const { worst } = loadsOn(outcomes);
  return (
    <Summary title={title} parts={parts}>
      <span className={styles.words} data-tone={worst === null ? undefined : OUTCOME_TONES[worst]}>
        {parts[0]?.count} of {outcomes.length} {outcomes.length === 1 ? 'loads' : 'load'}
      </span>
    </Summary>
  );
}

/** Shows the worst state of the records, and how many records have that state. */
export function StateBar({ counts }: { readonly counts: readonly number[] }) {
  const worst = worstState(counts);
  if (worst === null) return null;
  const title = countsText(counts);
  const text = worst === 'same' ? 'all same' : `${counts[MATRIX_STATES.indexOf(worst)]} ${worst}`;
  const parts = MATRIX_STATES.map((state, i) => ({
    tone: STATE_TONES[state],
    count: counts[i] ?? 0,
  }));
  return (
    <Summary title={title} parts={parts}>
      <StateMark state={worst} text={text} title={title} />
    </Summary>
  );
}
