import { ArrowUpRight, ChevronsDownUp, ChevronsUpDown } from 'lucide-react';
import { useMemo, useState } from 'react';
import { fieldLabel } from '#analysis/core/matrix/field-label.ts';
import { passingRows } from '#analysis/core/matrix/filter.ts';
import { type Grouping, groupCounts, groupRows, loadCount } from '#analysis/core/matrix/groups.ts';
import { guardAt, stateAt } from '#analysis/core/matrix/matrix.ts';
import { drawnName } from '#bytes/text.ts';
import { coreIndex } from '#model/ids.ts';
import type { Selection } from '#model/selection.ts';
import { cancelCore } from '#store/core-results.ts';
import { matrixState, setCoreMode, setCoreTarget, useCoreTargetId } from '#store/core-view.ts';
import { select } from '#store/navigation.ts';
import { Button, IconButton } from '#ui/Button.tsx';
import { ProgressBar } from '#ui/ProgressBar.tsx';
import { changeText, StateMark } from '#views/core/parts/StateMark.tsx';
import { Name } from '#views/parts/Name.tsx';
import { countOf } from '#views/parts/number-text.ts';
import {
  type CellPlace,
  lineOfRow,
  MatrixGrid,
  type MatrixLine,
  matrixLines,
} from './MatrixGrid.tsx';
import styles from './MatrixTable.module.css';
import { countsText, guardText, loadMeaning, recordName } from './matrix-text.ts';
import { doneFraction, type ShownMatrix, type TargetColumn } from './use-matrix.ts';

type MatrixTableProps = Omit<ShownMatrix, 'choices'> & { readonly selection: Selection };

/** The grid and, under it, what its active cell says. */
export function MatrixTable(props: MatrixTableProps) {
  const { object, columns, matrix, settings } = props;
  const { by, show, states, text, folded } = settings;
  const groups = useMemo(() => groupRows(matrix, by), [matrix, by]);
  const passing = useMemo(
    () => passingRows(matrix, { show, states, text }),
    [matrix, show, states, text],
  );
  const lines = useMemo(
    () => matrixLines(groups, passing, (key) => folded.has(foldKey(by, key))),
    [groups, passing, by, folded],
  );
  const [place, setPlace] = useStartPlace(props, lines);
  const active = place === null ? null : within(place, lines.length, columns.length + 1);

  const fold = (keys: readonly string[], isFolded: boolean) => {
    const next = new Set(folded);
    for (const key of keys) {
      if (isFolded) next.add(foldKey(by, key));
      else next.delete(foldKey(by, key));
    }
    matrixState.set({ folded: next }, object);
  };
  const open = ({ line, column }: CellPlace) => {
    const found = lines[line];
    if (found === undefined) return;
    if (found.kind === 'group') return fold([found.group.key], !found.isFolded);
    const target = columns[column - 1];
    if (target !== undefined) setCoreTarget(object, target.id);
    select({ kind: 'core', core: coreIndex(found.row), step: null });
    setCoreMode('records');
  };
  const foldAll = (isFolded: boolean) =>
    fold(
      groups.map(({ key }) => key),
      isFolded,
    );
  const isAllFolded = groups.every(({ key }) => folded.has(foldKey(by, key)));
  return (
    <div className={styles.table}>
      <div className={styles.grid}>
        <MatrixGrid
          object={object}
          columns={columns}
          matrix={matrix}
          by={by}
          lines={lines}
          active={active}
          onActive={setPlace}
          onOpen={open}
          corner={
            <>
              <MatrixProgress object={object} columns={columns} isStopped={settings.stopped} />
              <TableSize
                relocations={matrix.records.length}
                targets={columns.length}
                isFolded={isAllFolded}
                onFold={foldAll}
              />
            </>
          }
        />
      </div>
      <CellDetail
        columns={columns}
        matrix={matrix}
        by={by}
        line={lines[active?.line ?? -1] ?? null}
        column={(active?.column ?? 0) - 1}
        onOpen={() => (active === null ? undefined : open(active))}
      />
    </div>
  );
}

/** At first the cell of the record that is selected, on the target that it was looked at with. */
function useStartPlace(
  { object, columns, selection }: MatrixTableProps,
  lines: readonly MatrixLine[],
) {
  const target = useCoreTargetId(object);
  return useState<CellPlace | null>(() => {
    const line = selection.kind === 'core' ? lineOfRow(lines, selection.core) : null;
    return line === null
      ? null
      : { line, column: columns.findIndex(({ id }) => id === target) + 1 };
  });
}

function within({ line, column }: CellPlace, lines: number, columns: number): CellPlace | null {
  if (lines === 0) return null;
  return { line: Math.min(line, lines - 1), column: Math.min(column, columns - 1) };
}

function foldKey(by: string, key: string): string {
  return `${by} ${key}`;
}

const ENDED: readonly (string | undefined)[] = ['ready', 'failed'];

type MatrixProgressProps = Pick<ShownMatrix, 'object' | 'columns'> & {
  readonly isStopped: boolean;
};

/** Progress of the whole table, with buttons to stop and to resume. Nothing once all targets are resolved. */
function MatrixProgress({ object, columns, isStopped }: MatrixProgressProps) {
  const ended = columns.filter(({ outcome }) => ENDED.includes(outcome?.step)).length;
  if (ended === columns.length) return null;
  const detail = `${ended} of ${countOf(columns.length, 'target')}`;
  if (isStopped) {
    return (
      <div className="row gap-2 spread small soft">
        <span>Stopped after {detail}</span>
        <Button size="small" onClick={() => matrixState.set({ stopped: false }, object)}>
          Resume
        </Button>
      </div>
    );
  }
  const cancel = () => {
    // First of all, so that nothing is asked anew when the outcomes go.
    matrixState.set({ stopped: true }, object);
    cancelCore(object);
  };
  return (
    <ProgressBar
      label="Resolving"
      fraction={doneFraction(columns.map(({ outcome }) => outcome))}
      detail={detail}
      onCancel={cancel}
    />
  );
}

type TableSizeProps = {
  readonly relocations: number;
  readonly targets: number;
  /** Whether all groups are. */
  readonly isFolded: boolean;
  readonly onFold: (isFolded: boolean) => void;
};

/** How large the table is, and a button for all groups. */
function TableSize({ relocations, targets, isFolded, onFold }: TableSizeProps) {
  const Icon = isFolded ? ChevronsUpDown : ChevronsDownUp;
  return (
    <div className={styles.line}>
      <span className={styles.size}>
        {countOf(relocations, 'relocation')} on {countOf(targets, 'target')}
      </span>
      <IconButton
        label={isFolded ? 'Unfold all' : 'Fold all'}
        size="small"
        icon={Icon}
        onClick={() => onFold(!isFolded)}
      />
    </div>
  );
}

type CellDetailProps = Pick<ShownMatrix, 'columns' | 'matrix'> & {
  readonly by: Grouping;
  /** The line that is active; null while none is. */
  readonly line: MatrixLine | null;
  /** Index of the target, -1 on the line's name. */
  readonly column: number;
  readonly onOpen: () => void;
};

type LineOf<K extends MatrixLine['kind']> = Extract<MatrixLine, { readonly kind: K }>;

/** The active cell in full, for keyboard and touch, which have no tooltip. */
function CellDetail(props: CellDetailProps) {
  const { line } = props;
  return (
    <section className={styles.detail} aria-label="Active cell">
      {line === null ? (
        <p className="muted">
          Each cell is one relocation on one target. Click a cell, or press Enter on it, to see how
          libbpf resolved it.
        </p>
      ) : line.kind === 'group' ? (
        <GroupDetail {...props} line={line} />
      ) : (
        <RecordDetail {...props} line={line} />
      )}
    </section>
  );
}

type GroupDetailProps = CellDetailProps & { readonly line: LineOf<'group'> };

function GroupDetail({ columns, matrix, by, line, column }: GroupDetailProps) {
  const { label, section, rows } = line.group;
  const resolved = matrix.columns[column];
  const words = resolved?.results == null ? null : countsText(groupCounts(resolved, rows));
  return (
    <>
      <p className={styles.what}>
        <span className="mono bold break">
          <Name text={label} otherwise="(no function)" />
        </span>
        <span className="muted">
          {section === '' ? null : `${drawnName(section)}, `}
          {countOf(rows.length, 'relocation')}
        </span>
        <OnTarget column={columns[column]} />
        {words === null ? null : <span>{words}</span>}
      </p>
      {by === 'program' ? (
        <p className={styles.why}>{loadMeaning(loadCount(matrix, rows))}</p>
      ) : null}
    </>
  );
}

type RecordDetailProps = CellDetailProps & { readonly line: LineOf<'record'> };

function RecordDetail({ columns, matrix, line, column, onOpen }: RecordDetailProps) {
  const { types, records } = matrix;
  const record = records[line.row];
  if (record === undefined) return null;
  const resolved = matrix.columns[column];
  const result = resolved?.results?.[line.row];
  const state = resolved === undefined ? null : stateAt(resolved, line.row);
  const guard = resolved === undefined ? null : guardAt(resolved, records, line.row);
  return (
    <>
      <p className={styles.what}>
        {state === null ? null : <StateMark state={state} />}
        <span className="mono bold break">
          <Name text={fieldLabel(types, record)} />
        </span>
        <span className="muted">{recordName(record)}</span>
        <OnTarget column={columns[column]} />
        {result === undefined ? null : <code>{changeText(result)}</code>}
        <Button size="small" className={styles.open} onClick={onOpen} icon={ArrowUpRight}>
          Why?
        </Button>
      </p>
      {result === undefined ? null : <p className={styles.why}>{drawnName(result.reason)}</p>}
      {resolved === undefined || guard === null ? null : (
        <p className={styles.guard}>
          {sentence(guardText(resolved, records, line.row) ?? '')} If that check guards this
          instruction, the verifier does not check it.{' '}
          <Button
            size="small"
            onClick={() => {
              select({ kind: 'core', core: coreIndex(guard.index), step: null });
              setCoreMode('records');
            }}
          >
            Show check
          </Button>
        </p>
      )}
    </>
  );
}

function OnTarget({ column }: { readonly column: TargetColumn | undefined }) {
  if (column === undefined) return null;
  return (
    <span className="soft break">
      on <bdi>{drawnName(column.name)}</bdi>
    </span>
  );
}

function sentence(words: string): string {
  return `${words.slice(0, 1).toUpperCase()}${words.slice(1)}.`;
}
