import { RotateCw } from 'lucide-react';
import { useMemo, useState } from 'react';
import { goalAt } from '#analysis/query/goals.ts';
import { drawnName } from '#bytes/text.ts';
import { queryCsv, queryJson } from '#print/query-text.ts';
import { useSession } from '#store/session/session.ts';
import { Landmark } from '#ui/aria.tsx';
import { Button } from '#ui/Button.tsx';
import { Histogram, ProgressBar } from '#ui/bars.tsx';
import { Callout } from '#ui/Callout.tsx';
import { grouped } from '#ui/grouped.ts';
import { Segmented } from '#ui/inputs.tsx';
import { EmptyState, Toolbar } from '#ui/Panel.tsx';
import { VirtualTable } from '#ui/VirtualTable.tsx';
import { ExportMenu } from '#views/parts/ExportMenu.tsx';
import { countOf } from '#views/parts/number-text.ts';
import styles from './QueryView.module.css';
import { barColumns, bars, type Rows, resultColumns } from './result-columns.tsx';
import {
  askedFiles,
  goToGoal,
  isOutdated,
  type QueryState,
  stopQuery,
  useQuery,
} from './run-query.ts';

type QueryResultsProps = { readonly onRun: () => void };

/** Result of the query: its rows, its progress, or why there are no rows. */
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

function summary({ files, milliseconds }: ReadyState, { count, isCut }: Rows): string {
  const rows = isCut ? `The first ${grouped(count)} rows` : countOf(count, 'row');
  const time = milliseconds < 1000 ? `${Math.round(milliseconds)} ms` : secondsText(milliseconds);
  return `${rows} of ${countOf(files.length, 'file')} in ${time}`;
}

const secondsText = (milliseconds: number) => `${(milliseconds / 1000).toFixed(1)} s`;

/** Bars of the first rows: more are read in a table. */
const MAX_BARS = 100;

type ChartProps = { readonly rows: Rows; readonly columns: readonly number[] };

function Chart({ rows, columns }: ChartProps) {
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
