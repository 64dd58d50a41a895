import { ChevronsDownUp, ChevronsUpDown } from 'lucide-react';
import { useMemo, useState } from 'react';
import { passingRows } from '#analysis/core/matrix/filter.ts';
import { groupRows } from '#analysis/core/matrix/groups.ts';
import { OUTCOMES } from '#analysis/libbpf/outcome.ts';
import { reasonsOn } from '#analysis/load/load-table.ts';
import { type CoreIndex, coreIndex } from '#model/ids.ts';
import type { ObjectModel } from '#model/object-model.ts';
import type { Selection } from '#model/selection.ts';
import { targetFile } from '#store/address/atlas-kernels.ts';
import { cancelCore } from '#store/kernels/core-results.ts';
import {
  type LoadCell,
  loadCellState,
  loadState,
  setCoreTarget,
  useCoreTargetId,
} from '#store/kernels/core-view.ts';
import type { FileId } from '#store/session/session.ts';
import { Button, IconButton } from '#ui/Button.tsx';
import { ProgressBar } from '#ui/bars.tsx';
import { CellGrid, type CellPlace } from '#ui/CellGrid.tsx';
import { NARROW, useNarrow } from '#ui/element-size.tsx';
import { Split } from '#ui/Split.tsx';
import { countOf } from '#views/parts/number-text.ts';
import { LoadDetail } from './LoadDetail.tsx';
import { LoadHeader } from './LoadHeader.tsx';
import { LoadRow } from './LoadRow.tsx';
import styles from './LoadTable.module.css';
import { isFoldLine, type LoadLine, lineOfRow, loadLines } from './load-lines.ts';
import { goToReason, showRecord } from './ReasonText.tsx';
import {
  type ColumnGroup,
  doneFraction,
  foldColumns,
  type ShownLoad,
  type TargetColumn,
  taskOf,
  verdictOf,
} from './use-load.ts';

/** Sizes in CSS pixels. With few columns the name column is wider. */
const SIZES = {
  programs: {
    headerHeight: 72,
    columnWidth: 124,
    nameWidths: { narrow: 150, wide: 200, widest: 420 },
  },
  records: {
    headerHeight: 92,
    columnWidth: 136,
    nameWidths: { narrow: 196, wide: 300, widest: 720 },
  },
};

type LoadTableProps = Omit<ShownLoad, 'choices'> & {
  readonly model: ObjectModel;
  readonly selection: Selection;
};

/** Shows the table, with the detail of its active cell beside it. */
export function LoadTable(props: LoadTableProps) {
  const { object, model, columns, matrix, table, settings } = props;
  const { show, states, text, folded, withRecords, unfolded } = settings;
  const by = withRecords ? settings.by : 'program';
  const [menu, setMenu] = useState<FileId | null>(null);
  const isNarrow = useNarrow(NARROW);
  const shown = useMemo(() => foldColumns(columns, settings), [columns, settings]);
  const groups = useMemo(() => groupRows(matrix, by), [matrix, by]);
  const passing = useMemo(
    () => passingRows(matrix, { show, states, text }),
    [matrix, show, states, text],
  );
  const lines = useMemo(() => {
    const words = text.toLowerCase().split(/\s+/).filter(Boolean);
    const byState = withRecords && states.size > 0;
    return loadLines(table, groups, passing, { by, withRecords, folded, show, words, byState });
  }, [table, groups, passing, by, withRecords, folded, show, text, states]);
  const [place, setPlace] = usePlace(props, lines, shown);
  const active = place === null ? null : within(place, lines.length, shown.length + 1);
  const groupAt = (column: number) => shown[column - 1];

  const fold = (keys: readonly string[], isFolded: boolean) => {
    const next = new Map(folded);
    for (const key of keys) next.set(`${by} ${key}`, isFolded);
    loadState.set({ folded: next }, object);
  };
  const toggle = (line: LoadLine | undefined) => {
    if (isFoldLine(line)) fold([line.foldKey], !line.isFolded);
  };
  const unfold = ({ columns: [start] }: ColumnGroup) => {
    if (start !== undefined) {
      loadState.set({ unfolded: new Set([...unfolded, start.id]) }, object);
    }
  };
  const open = ({ line: index, column }: CellPlace) => {
    const line = lines[index];
    const group = groupAt(column);
    const target = group?.columns[0];
    const verdict = target === undefined ? null : verdictOf(target);
    if (line?.kind === 'reason') {
      const program = table?.programs[line.program ?? -1]?.program ?? null;
      goToReason({ model, program, reason: line.row.reason });
    }
    if (line?.kind === 'record') void showRecordOn(target, coreIndex(line.row));
    if (line?.kind !== 'program') return;
    if (group !== undefined && group.columns.length > 1) unfold(group);
    else if (verdict !== null) {
      const [reason] = reasonsOn(verdict, line.at);
      if (reason !== undefined) goToReason({ model, program: line.row.program, reason });
    }
  };
  /** Shows a record on a kernel. A kernel of an atlas is opened first. */
  const showRecordOn = async (target: TargetColumn | undefined, core: CoreIndex) => {
    const file = target === undefined ? null : await targetFile(target.id);
    if (file !== null) setCoreTarget(object, file);
    showRecord(core);
  };
  const outer = lines.filter(isFoldLine);
  const isAllFolded = outer.every((line) => line.isFolded);
  const foldAll = () => {
    const inner = groups.map(({ key }) => `records ${key}`);
    fold([...outer.map(({ foldKey }) => foldKey), ...inner], !isAllFolded);
  };
  const sizes = SIZES[withRecords ? 'records' : 'programs'];
  const grid = (
    <CellGrid
      label="Programs on kernels"
      lineCount={lines.length}
      columnCount={shown.length}
      {...sizes}
      renderHeader={(layout) => (
        <LoadHeader
          {...props}
          shown={shown}
          table={by === 'program' ? table : null}
          menu={{ kernel: menu, open: setMenu }}
          onUnfold={unfold}
          layout={layout}
          corner={
            <>
              <LoadProgress {...props} />
              <TableSize {...props} isFolded={isAllFolded} onFold={foldAll} />
            </>
          }
        />
      )}
      renderLine={(linePlace) => {
        const line = lines[linePlace.index];
        return line === undefined ? null : (
          <LoadRow
            key={linePlace.index}
            line={line}
            columns={columns}
            shown={shown}
            matrix={matrix}
            table={table}
            by={by}
            withRecords={withRecords}
            {...linePlace}
          />
        );
      }}
      active={active}
      onActive={setPlace}
      // Enter opens a cell, but folds a line that has sub-lines.
      onOpen={(cell) => (isFoldLine(lines[cell.line]) ? toggle(lines[cell.line]) : open(cell))}
      onClick={({ line, column }) => {
        if (column === 0) toggle(lines[line]);
      }}
      emptyText={emptyText(withRecords, by)}
    />
  );
  return (
    <div className={styles.table}>
      <Split
        label="Resize the table"
        firstSize={isNarrow ? 40 : 58}
        minFirst={160}
        minSecond={140}
        first={<div className={styles.grid}>{grid}</div>}
        second={
          <LoadDetail
            {...props}
            line={lines[active?.line ?? -1] ?? null}
            group={groupAt(active?.column ?? 0) ?? null}
            onOpen={() => (active === null ? undefined : open(active))}
            onMenu={setMenu}
            onUnfold={unfold}
          />
        }
      />
    </div>
  );
}

function emptyText(withRecords: boolean, by: string): string {
  if (!withRecords) return 'No matching programs';
  return by === 'program' ? 'No matching programs or relocations' : 'No matching relocations';
}

/** Returns the active cell, and a function that sets it. */
function usePlace(
  props: LoadTableProps,
  lines: readonly LoadLine[],
  shown: readonly ColumnGroup[],
): readonly [CellPlace | null, (place: CellPlace) => void] {
  const { object, settings } = props;
  const cell = loadCellState.useOf(object);
  const [place, setPlace] = useStartPlace(props, lines);
  if (settings.withRecords) return [place, setPlace];
  const put = ({ line: index, column }: CellPlace) => {
    const line = lines[index];
    const kernel = shown[column - 1]?.columns[0]?.name ?? null;
    const program = line?.kind === 'program' ? line.row.program.name : null;
    loadCellState.set({ program, kernel }, object);
  };
  return [placeOf(cell, lines, shown) ?? place ?? firstPlace(lines, shown), put];
}

/** Returns the place of a cell that is named by program and kernel; null if there is none. */
function placeOf(
  { program, kernel }: LoadCell,
  lines: readonly LoadLine[],
  shown: readonly ColumnGroup[],
): CellPlace | null {
  if (program === null && kernel === null) return null;
  const line = lines.findIndex((other) =>
    program === null
      ? other.kind === 'object'
      : other.kind === 'program' && other.row.program.name === program,
  );
  if (line < 0) return null;
  const isOf = ({ columns }: ColumnGroup) => columns.some(({ name }) => name === kernel);
  return { line, column: shown.findIndex(isOf) + 1 };
}

/** Returns the first cell with the worst outcome; null before the first result. */
function firstPlace(lines: readonly LoadLine[], shown: readonly ColumnGroup[]): CellPlace | null {
  let first: (CellPlace & { readonly rank: number }) | null = null;
  for (const [line, row] of lines.entries()) {
    if (row.kind !== 'program') continue;
    for (const [at, group] of shown.entries()) {
      const outcome = row.row.outcomes[group.first] ?? null;
      if (outcome === null) continue;
      // Both `rejected` and `fails` are refusals: the first of them is shown.
      const rank = Math.min(OUTCOMES.indexOf(outcome), OUTCOMES.indexOf('rejected'));
      if (first === null || rank > first.rank) first = { line, column: at + 1, rank };
    }
  }
  return first;
}

/** Returns the initially active cell: the selected record on the chosen target. */
function useStartPlace({ object, columns, selection }: LoadTableProps, lines: readonly LoadLine[]) {
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

const ENDED: readonly (string | undefined)[] = ['ready', 'failed'];

type LoadProgressProps = Pick<ShownLoad, 'object' | 'columns' | 'matrix' | 'settings'>;

/** Shows the table's progress and buttons to stop and resume; hidden once all is resolved. */
function LoadProgress({ object, columns, matrix, settings }: LoadProgressProps) {
  const hasRecords = settings.withRecords && matrix.records.length > 0;
  const work = columns.map((column) => taskOf(column, hasRecords));
  const ended = work.filter((task) => ENDED.includes(task?.step)).length;
  if (ended === columns.length) return null;
  const detail = `${ended} of ${countOf(columns.length, hasRecords ? 'target' : 'kernel')}`;
  if (settings.stopped) {
    return (
      <div className="row gap-2 spread small soft">
        <span>Stopped after {detail}</span>
        <Button size="small" onClick={() => loadState.set({ stopped: false }, object)}>
          Resume
        </Button>
      </div>
    );
  }
  const cancel = () => {
    // Set this first, so that the cancelled results are not requested again.
    loadState.set({ stopped: true }, object);
    cancelCore(object);
  };
  return (
    <ProgressBar
      label={hasRecords ? 'Resolving' : 'Judging'}
      fraction={doneFraction(work)}
      detail={detail}
      onCancel={cancel}
    />
  );
}

type TableSizeProps = Pick<ShownLoad, 'columns' | 'matrix' | 'table' | 'settings'> & {
  /** True if every line that has sub-lines is folded. */
  readonly isFolded: boolean;
  readonly onFold: () => void;
};

/** Shows the size of the table, and a button that folds or unfolds all lines. */
function TableSize({ columns, matrix, table, settings, isFolded, onFold }: TableSizeProps) {
  const Icon = isFolded ? ChevronsUpDown : ChevronsDownUp;
  const byProgram = !settings.withRecords || settings.by === 'program';
  const programs = byProgram ? (table?.programs.length ?? 0) : 0;
  const { length } = matrix.records;
  const { withRecords } = settings;
  const parts = [
    programs === 0 ? [] : [countOf(programs, 'program')],
    !withRecords || (length === 0 && programs > 0) ? [] : [countOf(length, 'relocation')],
  ];
  return (
    <div className={styles.line}>
      <span className="shrink small muted tight">
        {parts.flat().join(', ')} on {countOf(columns.length, 'kernel')}
      </span>
      {withRecords ? (
        <IconButton
          label={isFolded ? 'Unfold all' : 'Fold all'}
          size="small"
          icon={Icon}
          onClick={onFold}
        />
      ) : null}
    </div>
  );
}
