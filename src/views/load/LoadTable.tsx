import { ChevronsDownUp, ChevronsUpDown } from 'lucide-react';
import { useMemo, useState } from 'react';
import { passingRows } from '#analysis/core/matrix/filter.ts';
import { groupRows } from '#analysis/core/matrix/groups.ts';
import { type CoreIndex, coreIndex } from '#model/ids.ts';
import type { ObjectModel } from '#model/object-model.ts';
import type { Selection } from '#model/selection.ts';
import { targetFile } from '#store/address/atlas-kernels.ts';
import { cancelCore } from '#store/kernels/core-results.ts';
import { loadState, setCoreTarget, useCoreTargetId } from '#store/kernels/core-view.ts';
import type { FileId } from '#store/session/session.ts';
import { Button, IconButton } from '#ui/Button.tsx';
import { ProgressBar } from '#ui/bars.tsx';
import { CellGrid, type CellPlace } from '#ui/CellGrid.tsx';
import { countOf } from '#views/parts/number-text.ts';
import { LoadDetail } from './LoadDetail.tsx';
import { LoadHeader } from './LoadHeader.tsx';
import { LoadRow } from './LoadRow.tsx';
import styles from './LoadTable.module.css';
import { isFoldLine, type LoadLine, lineOfRow, loadLines } from './load-lines.ts';
import { goToReason, showRecord } from './ReasonText.tsx';
import { doneFraction, type ShownLoad, type TargetColumn, taskOf, verdictOf } from './use-load.ts';

const HEADER_HEIGHT = 92;
const CELL_WIDTH = 136;
/** Widths of the name column in CSS pixels. With few columns it is wider, to show reasons. */
const NAME_WIDTHS = { narrow: 196, wide: 420, widest: 720 };

type LoadTableProps = Omit<ShownLoad, 'choices'> & {
  readonly model: ObjectModel;
  readonly selection: Selection;
};

/** Shows the table, with the detail of its active cell below. */
export function LoadTable(props: LoadTableProps) {
  const { object, model, columns, matrix, table, settings } = props;
  const { by, show, states, text, folded } = settings;
  const [menu, setMenu] = useState<FileId | null>(null);
  const groups = useMemo(() => groupRows(matrix, by), [matrix, by]);
  const passing = useMemo(
    () => passingRows(matrix, { show, states, text }),
    [matrix, show, states, text],
  );
  const lines = useMemo(() => {
    const words = text.toLowerCase().split(/\s+/).filter(Boolean);
    return loadLines(table, groups, passing, { by, folded, show, words, byState: states.size > 0 });
  }, [table, groups, passing, by, folded, show, text, states]);
  const [place, setPlace] = useStartPlace(props, lines);
  const active = place === null ? null : within(place, lines.length, columns.length + 1);

  const fold = (keys: readonly string[], isFolded: boolean) => {
    const next = new Map(folded);
    for (const key of keys) next.set(`${by} ${key}`, isFolded);
    loadState.set({ folded: next }, object);
  };
  const toggle = (line: LoadLine | undefined) => {
    if (isFoldLine(line)) fold([line.foldKey], !line.isFolded);
  };
  const open = ({ line: index, column }: CellPlace) => {
    const line = lines[index];
    const target = columns[column - 1];
    if (line?.kind === 'reason') {
      const verdict = target === undefined ? null : verdictOf(target);
      const program = table?.programs[line.program ?? -1]?.program ?? null;
      goToReason({ model, verdict, program, reason: line.row.reason });
    }
    if (line?.kind === 'record') void showRecordOn(target, coreIndex(line.row));
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
  return (
    <div className={styles.table}>
      <div className={styles.grid}>
        <CellGrid
          label="Programs and relocations on kernels"
          lineCount={lines.length}
          columnCount={columns.length}
          columnWidth={CELL_WIDTH}
          headerHeight={HEADER_HEIGHT}
          nameWidths={NAME_WIDTHS}
          renderHeader={(layout) => (
            <LoadHeader
              {...props}
              table={by === 'program' ? table : null}
              menu={{ kernel: menu, open: setMenu }}
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
                matrix={matrix}
                table={table}
                by={by}
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
          emptyText={
            by === 'program' ? 'No matching programs or relocations' : 'No matching relocations'
          }
        />
      </div>
      <LoadDetail
        {...props}
        line={lines[active?.line ?? -1] ?? null}
        column={(active?.column ?? 0) - 1}
        onOpen={() => (active === null ? undefined : open(active))}
        onMenu={setMenu}
      />
    </div>
  );
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
  const work = columns.map((column) => taskOf(column, matrix.records.length > 0));
  const ended = work.filter((task) => ENDED.includes(task?.step)).length;
  if (ended === columns.length) return null;
  const detail = `${ended} of ${countOf(columns.length, 'target')}`;
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
      label="Resolving"
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
  const programs = settings.by === 'program' ? (table?.programs.length ?? 0) : 0;
  const { length } = matrix.records;
  const parts = [
    programs === 0 ? [] : [countOf(programs, 'program')],
    length === 0 && programs > 0 ? [] : [countOf(length, 'relocation')],
  ];
  return (
    <div className={styles.line}>
      <span className="shrink small muted tight">
        {parts.flat().join(', ')} on {countOf(columns.length, 'kernel')}
      </span>
      <IconButton
        label={isFolded ? 'Unfold all' : 'Fold all'}
        size="small"
        icon={Icon}
        onClick={onFold}
      />
    </div>
  );
}
