import { RotateCw } from 'lucide-react';
import { useMemo, useState } from 'react';
import { goalAt, type QueryGoal } from '#analysis/query/goals.ts';
import type { QueryResult, ResultColumn } from '#analysis/query/run-query.ts';
import type { SqlValue } from '#analysis/query/table.ts';
import { drawnName } from '#bytes/text.ts';
import { cellText, isNumeric, queryCsv, queryJson } from '#print/query-text.ts';
import { useSession } from '#store/session/session.ts';
import { Landmark } from '#ui/aria.tsx';
import { Button } from '#ui/Button.tsx';
import { Histogram, type HistogramItem, ProgressBar } from '#ui/bars.tsx';
import { Callout } from '#ui/Callout.tsx';
import { grouped } from '#ui/grouped.ts';
import { Segmented } from '#ui/inputs.tsx';
import { EmptyState, Toolbar } from '#ui/Panel.tsx';
import { NUMBER, type TableColumn } from '#ui/table-columns.ts';
import { VirtualTable } from '#ui/VirtualTable.tsx';
import { ExportMenu } from '#views/parts/ExportMenu.tsx';
import { CutName } from '#views/parts/Name.tsx';
import { countOf } from '#views/parts/number-text.ts';
import { CellLink } from '#views/parts/TypeLink.tsx';
import styles from './QueryView.module.css';
import {
  askedFiles,
  goToGoal,
  isOutdated,
  type QueryState,
  stopQuery,
  useQuery,
} from './run-query.ts';

type QueryResultsProps = { readonly onRun: () => void };

/** Shows the rows, the progress or the failure of the query. */
export function QueryResults({ onRun }: QueryResultsProps) {
  const state = useQuery();
  if (state.step === 'none') {
    return <EmptyState title="No result" text="Run the query, or choose an example." />;
  }
  if (state.step === 'running') {
    return (
      <div className={styles.state}>
        <ProgressBar
          label="Running the query"
          fraction={null}
          detail={`${grouped(state.scanned)} rows read`}
          onCancel={() => stopQuery()}
        />
      </div>
    );
  }
  if (state.step === 'stopped') {
    return (
      <div className={styles.state}>
        <Callout
          severity="warning"
          title={drawnName(state.why)}
          actions={
            <Button size="small" onClick={onRun}>
              Run again
            </Button>
          }
        >
          A condition on fewer rows, or a LIMIT without ORDER BY, makes a query faster.
        </Callout>
      </div>
    );
  }
  if (state.result.kind === 'error')
    return <EmptyState title="No result" text="Correct the query and run it again." />;
  return <ResultRows key={state.sql} state={state} rows={state.result} onRun={onRun} />;
}

type ReadyState = Extract<QueryState, { step: 'ready' }>;

type ResultRowsProps = QueryResultsProps & { readonly state: ReadyState; readonly rows: Rows };

const FORMS = { table: 'Table', chart: 'Chart' } as const;

function ResultRows({ state, rows, onRun }: ResultRowsProps) {
  const [form, setForm] = useState<keyof typeof FORMS>('table');
  const [selected, setSelected] = useState<number | null>(null);
  const charted = useMemo(() => barColumns(rows), [rows]);
  const columns = useMemo(
    () => resultColumns(rows, (goal) => goToGoal(state.files, goal)),
    [rows, state.files],
  );
  const isOld = useSession((session) => isOutdated(state, askedFiles(session)));
  const goToFirst = (row: number) => {
    const goal = rows.columns.map(({ goals }) => goalAt(goals, row)).find((one) => one !== null);
    if (goal) goToGoal(state.files, goal);
  };
  return (
    <Landmark className="column shrink-y tall surface" aria-label="Result">
      <Toolbar
        label="Result"
        end={
          <ExportMenu
            isDisabled={rows.count === 0}
            sets={[
              {
                name: 'query',
                rows: 'all rows of the result',
                texts: {
                  csv: () => [...queryCsv(rows)].join(''),
                  json: () => [...queryJson(rows)].join(''),
                },
              },
            ]}
          />
        }
      >
        {charted.length > 0 && rows.count > 0 ? (
          <Segmented label="Form of the result" options={FORMS} value={form} onChange={setForm} />
        ) : null}
        <span className="small soft">{summary(state, rows)}</span>
        {isOld ? (
          <Button size="small" variant="quiet" icon={RotateCw} onClick={onRun}>
            Other files are open now: run again
          </Button>
        ) : null}
      </Toolbar>
      {rows.notes.length > 0 ? (
        <Callout severity="note" title={`${rows.notes.map(drawnName).join('. ')}.`} />
      ) : null}
      {form === 'chart' && charted.length > 0 ? (
        <Chart rows={rows} columns={charted} />
      ) : (
        <div className="fill">
          <VirtualTable
            label="Query result"
            columns={columns}
            count={rows.count}
            selectedIndex={selected}
            onSelect={setSelected}
            onActivate={goToFirst}
            emptyText="No rows"
          />
        </div>
      )}
    </Landmark>
  );
}

function summary({ files, milliseconds }: ReadyState, rows: Rows): string {
  const time = milliseconds < 1000 ? `${Math.round(milliseconds)} ms` : secondsText(milliseconds);
  return `${rowsText(rows)} of ${countOf(files.length, 'file')} in ${time}`;
}

/** Returns the number of rows, and how many rows the LIMIT of the query or the page left out. */
function rowsText({ count, isCut, unlimited }: Rows): string {
  if (isCut) return `The first ${grouped(count)} rows`;
  if (unlimited === null) return countOf(count, 'row');
  if (unlimited === 'unknown') return `${countOf(count, 'row')} (LIMIT; there are more)`;
  return `${grouped(count)} of ${countOf(unlimited, 'row')} (LIMIT)`;
}

const secondsText = (milliseconds: number) => `${(milliseconds / 1000).toFixed(1)} s`;

/** Maximum number of bars in a chart. The table has all rows. */
const MAX_BARS = 100;

function Chart({ rows, columns }: { readonly rows: Rows; readonly columns: readonly number[] }) {
  const [chosen, setChosen] = useState(columns[0] ?? 0);
  const items = useMemo(() => bars(rows, chosen, MAX_BARS), [rows, chosen]);
  const title = drawnName(rows.columns[chosen]?.name ?? '');
  return (
    <div className={styles.chart}>
      {columns.length > 1 ? (
        <label className="row gap-2 small">
          Column
          <select
            className={styles.select}
            value={chosen}
            onChange={({ target }) => setChosen(Number(target.value))}
          >
            {columns.map((column) => (
              <option key={column} value={column}>
                {drawnName(rows.columns[column]?.name ?? '')}
              </option>
            ))}
          </select>
        </label>
      ) : (
        <p className="small soft">{title}</p>
      )}
      <Histogram label={`${title} by row`} items={items} />
      {rows.count > MAX_BARS ? (
        <p className="small muted">The first {MAX_BARS} rows. The table has all.</p>
      ) : null}
    </div>
  );
}

export type Rows = Extract<QueryResult, { kind: 'rows' }>;

/** In CSS pixels: width of a character, padding of cells and headers, limits of column widths. */
const CHARACTER = 8;
const SPACE = { cell: 30, head: 46 };
const WIDTHS = { least: 64, most: 420 };
/** Number of rows that are measured to set the width of a column. */
const MAX_MEASURED = 200;

/** Returns the columns of a result. `goTo` shows the place that a cell refers to. */
export function resultColumns({ columns }: Rows, goTo: (goal: QueryGoal) => void): TableColumn[] {
  const widest = columns.reduce(
    (max, one) => Math.max(max, isNumeric(one.values) ? 0 : widthOf(one)),
    0,
  );
  return columns.map((column, i) => {
    const { name, values, goals } = column;
    const isNumber = isNumeric(values);
    const width = widthOf(column);
    return {
      id: `${i} ${name}`,
      header: drawnName(name),
      width,
      ...(isNumber ? NUMBER : { grow: width === widest ? 1 : 0 }),
      cell: (row) => <Cell value={values[row] ?? null} goal={goalAt(goals, row)} goTo={goTo} />,
      by: (row) => sortable(values[row] ?? null),
    };
  });
}

function sortable(value: SqlValue) {
  return typeof value === 'boolean' ? `${value}` : value;
}

function widthOf({ name, values }: ResultColumn): number {
  const longest = values
    .slice(0, MAX_MEASURED)
    .reduce<number>((max, value) => Math.max(max, cellText(value).length), 0);
  const [cell, head] = [longest * CHARACTER + SPACE.cell, name.length * CHARACTER + SPACE.head];
  return Math.round(Math.max(WIDTHS.least, Math.min(WIDTHS.most, Math.max(cell, head))));
}

type CellProps = {
  readonly value: SqlValue;
  readonly goal: QueryGoal | null;
  readonly goTo: (goal: QueryGoal) => void;
};

function Cell({ value, goal, goTo }: CellProps) {
  if (value === null) return <span className="muted">null</span>;
  const text = `${value}`;
  const shown =
    typeof value === 'string' ? <CutName text={text} otherwise="(empty)" /> : <bdi>{text}</bdi>;
  if (goal === null) return <span className="inline-row shrink fit">{shown}</span>;
  return <CellLink onClick={() => goTo(goal)}>{shown}</CellLink>;
}

/** Matches names of columns whose numbers are ids or places: bars of them mean little. */
const NO_BAR = /(^|_)(id|position|index|offset|insn_off)$/;

/** Returns the indexes of columns with non-negative numbers. Ids and places come last. */
export function barColumns({ columns }: Rows): number[] {
  const isDrawn = ({ values }: ResultColumn) =>
    values.some((value) => value !== null) &&
    isNumeric(values) &&
    values.every((value) => value === null || (value as number | bigint) >= 0);
  const drawn = [...columns.keys()].filter((i) => {
    const column = columns[i];
    return column !== undefined && isDrawn(column);
  });
  const isId = (i: number) => NO_BAR.test(columns[i]?.name ?? '');
  return [...drawn.filter((i) => !isId(i)), ...drawn.filter(isId)];
}

/** Returns a bar for each of the first `most` rows. The label of a bar has the texts of its row. */
export function bars({ columns, count }: Rows, of: number, most: number): HistogramItem[] {
  const texts = columns.filter(({ values }) => !isNumeric(values));
  // A text that is the same in all rows is left out of the labels.
  const telling = texts.filter(({ values }) => new Set(values).size > 1);
  const named = telling.length > 0 ? telling : texts;
  return Array.from({ length: Math.min(count, most) }, (_, row) => {
    const value = columns[of]?.values[row] ?? null;
    const label = named.map(({ values }) => cellText(values[row])).filter((text) => text !== '');
    return {
      id: `${row}`,
      label: drawnName(label.join('  ')) || `Row ${row + 1}`,
      value: Number(value ?? 0),
      valueText: value === null ? 'null' : `${value}`,
    };
  });
}
