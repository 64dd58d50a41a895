import { Maximize2 } from 'lucide-react';
import { useDeferredValue, useEffect, useMemo, useState } from 'react';
import type { WholeComparison } from '#analysis/compare/compare-tables.ts';

import { typeId } from '#model/ids.ts';
import { type Selection, typeSelection } from '#model/selection.ts';
import {
  COMPARE_ORDERS,
  type CompareOrder,
  compareState,
  compareWhole,
  stopComparing,
  useWholeComparison,
} from '#store/compare-results.ts';
import { select } from '#store/navigation.ts';
import { setViewParam, useViewParam } from '#store/view-state.ts';
import { Button } from '#ui/Button.tsx';
import { EmptyState } from '#ui/EmptyState.tsx';
import { grouped } from '#ui/grouped.ts';
import { SearchBox } from '#ui/SearchBox.tsx';
import { Split } from '#ui/Split.tsx';
import { Toolbar } from '#ui/Toolbar.tsx';
import { useNarrow } from '#ui/ViewWidth.tsx';
import { VirtualTable } from '#ui/VirtualTable.tsx';
import type { CompareSide } from './compare-sides.ts';
import { showPair } from './compared-pair.ts';
import { LockStep } from './LockStep.tsx';
import type { ComparedPair } from './use-comparison.ts';
import { WholeExport } from './WholeExport.tsx';
import { WholeFilters } from './WholeFilters.tsx';
import styles from './WholePart.module.css';
import { WorkState } from './WorkState.tsx';
import { wholeColumns } from './whole-columns.tsx';
import { listedRows } from './whole-rows.ts';

type WholePartProps = { readonly before: CompareSide; readonly after: CompareSide };

/** Everything that differs between the two files; a row shows its type in lock-step. */
export function WholePart({ before, after }: WholePartProps) {
  const outcome = useWholeComparison(before.id, after.id);
  useEffect(() => {
    if (outcome === null) void compareWhole(before.id, after.id);
  }, [outcome, before.id, after.id]);
  if (outcome?.step === 'ready') {
    return <Differences before={before} after={after} whole={outcome.value} />;
  }
  return (
    <WorkState
      label="Comparing all types"
      outcome={outcome}
      onCancel={() => stopComparing(before.id, after.id)}
      onRetry={() => void compareWhole(before.id, after.id)}
    />
  );
}

/** Under this width the list has the page to itself, and a row opens its type. */
const NARROW = 719;
const TIGHT = 1199;

function Differences(props: WholePartProps & { readonly whole: WholeComparison }) {
  const { before, after, whole } = props;
  const isNarrow = useNarrow(NARROW);
  const isTight = useNarrow(TIGHT);
  const settings = compareState.useOf(before.id);
  const text = useViewParam(before.id, 'compare', 'filter') ?? '';
  const query = useDeferredValue(text);
  const tables = useMemo(() => ({ a: before.types, b: after.types }), [before.types, after.types]);
  const rows = useMemo(
    () => listedRows(whole, tables, settings, query),
    [whole, tables, settings, query],
  );
  const columns = useMemo(
    () => wholeColumns(whole, tables, rows, isTight),
    [whole, tables, rows, isTight],
  );
  const [picked, setPicked] = useState<number | null>(null);
  const shown = picked ?? rows[0] ?? null;
  const pair = pairOf(whole, shown);
  const at = shown === null ? -1 : rows.indexOf(shown);
  const pick = (row: number) => {
    const index = rows[row];
    if (index === undefined) return;
    setPicked(index);
    const next = pairOf(whole, index);
    if (isNarrow && next !== null) open(next);
    else if (next !== null && next.a !== null) keepSelected(before, typeSelection(next.a));
  };
  const open = (next: ComparedPair) => showPair(before.types, after.types, next);
  const list = (
    <section className={styles.list} aria-label="Differences">
      <Toolbar
        label="List of differences"
        end={
          <WholeExport
            named={{ whole, tables, before: before.name, after: after.name }}
            rows={rows}
          />
        }
      >
        <div className={styles.search}>
          <SearchBox
            label="Filter differences"
            placeholder="Name of a type"
            hint="/"
            value={text}
            onChange={(value) => setViewParam('compare', 'filter', value === '' ? null : value)}
            found={`${grouped(rows.length)} of ${grouped(whole.count)}`}
          />
        </div>
      </Toolbar>
      <WholeFilters id={before.id} whole={whole} tables={tables} settings={settings} />
      <div className={styles.table}>
        <VirtualTable
          label="Types that differ"
          columns={columns}
          count={rows.length}
          selectedIndex={at < 0 ? null : at}
          onSelect={pick}
          onActivate={(row) => {
            const next = pairOf(whole, rows[row] ?? null);
            if (next !== null) open(next);
          }}
          sort={{
            columnId: settings.order,
            direction: settings.descending ? 'descending' : 'ascending',
          }}
          onSort={(column) => sortBy(before.id, settings, column)}
          emptyText={
            whole.count === 0
              ? 'All types are the same in both files'
              : 'No type passes these filters'
          }
        />
      </div>
    </section>
  );
  if (isNarrow) return list;
  return (
    <Split
      label="Resize the list of differences"
      firstSize={45}
      minFirst={360}
      minSecond={320}
      first={list}
      second={
        pair === null ? (
          <EmptyState title="Nothing is chosen" text="Choose a type to see how it differs." />
        ) : (
          <LockStep
            before={before}
            after={after}
            pair={pair}
            isNarrow={isTight}
            actions={
              <Button size="small" onClick={() => open(pair)}>
                <Maximize2 size={13} aria-hidden />
                Open
              </Button>
            }
          />
        )
      }
    />
  );
}

/** The selection follows the list, and does not count as a type that comes from elsewhere. */
function keepSelected(before: CompareSide, selection: Selection): void {
  compareState.set({ listedAt: selection }, before.id);
  setViewParam('compare', 'show', 'whole');
  select(selection);
}

function pairOf(whole: WholeComparison, index: number | null): ComparedPair | null {
  if (index === null || index >= whole.count) return null;
  const [a, b] = [whole.a[index] ?? 0, whole.b[index] ?? 0];
  return { a: a === 0 ? null : typeId(a), b: b === 0 ? null : typeId(b) };
}

function sortBy(
  id: CompareSide['id'],
  settings: { readonly order: CompareOrder; readonly descending: boolean },
  column: string,
): void {
  const order = COMPARE_ORDERS.find((name) => name === column);
  if (order === undefined) return;
  // Numbers are asked for from the top, names from the beginning.
  const first = order === 'weight' || order === 'size';
  compareState.set(
    { order, descending: order === settings.order ? !settings.descending : first },
    id,
  );
}
