import { Maximize2 } from 'lucide-react';
import { useDeferredValue, useMemo, useState } from 'react';
import { FACETS } from '#analysis/compare/changes.ts';
import {
  type ComparedTables,
  STATES,
  stateCounts,
  type WholeComparison,
} from '#analysis/compare/compare-tables.ts';
import { kindName } from '#formats/btf/kinds.ts';
import { typeId } from '#model/ids.ts';
import { type Selection, typeSelection } from '#model/selection.ts';
import { comparisonCsv, comparisonJson, comparisonMarkdown } from '#print/comparison.ts';
import { select } from '#store/address/navigation.ts';
import { clientOf } from '#store/session/files.ts';
import type { FileId } from '#store/session/session.ts';
import { revisionOf, type TaskKey, Tasks } from '#store/session/tasks.ts';
import { Landmark } from '#ui/aria.tsx';
import { Chip } from '#ui/Badge.tsx';
import { Button } from '#ui/Button.tsx';
import { NARROW, useNarrow, WIDE } from '#ui/element-size.tsx';
import { grouped } from '#ui/grouped.ts';
import { EmptyState, Toolbar } from '#ui/Panel.tsx';
import { FoundList } from '#ui/SearchBox.tsx';
import { Split } from '#ui/Split.tsx';
import { VirtualTable } from '#ui/VirtualTable.tsx';
import { ExportMenu } from '#views/parts/ExportMenu.tsx';
import { type ComparedPair, type CompareSide, showPair } from './compared-pair.ts';
import { FACET_NAMES, LEGEND, STATE_BADGES } from './facet-text.ts';
import { LockStep } from './LockStep.tsx';
import { COMPARE_ORDERS, type CompareSettings, compareSettings, compareState } from './state.ts';
import styles from './WholePart.module.css';
import { WorkState } from './WorkState.tsx';
import { wholeColumns } from './whole-columns.tsx';
import { listedKinds, listedRows } from './whole-rows.ts';

type WholePartProps = { readonly before: CompareSide; readonly after: CompareSide };

const comparisons = new Tasks<TaskKey, WholeComparison>();

/** Shows all differences between two files. Selecting a row shows its type in both files. */
export function WholePart({ before, after }: WholePartProps) {
  return (
    <WorkState
      label="Comparing all types"
      tasks={comparisons}
      keyNow={() => ({ files: [revisionOf(before.id), revisionOf(after.id)] })}
      request={async (options) =>
        clientOf(before.id)?.call('compare', { other: after.types }, options)
      }
    >
      {(whole) => <Differences before={before} after={after} whole={whole} />}
    </WorkState>
  );
}

function Differences(props: WholePartProps & { readonly whole: WholeComparison }) {
  const { before, after, whole } = props;
  const isNarrow = useNarrow(NARROW);
  const isTight = useNarrow(WIDE);
  const settings = compareSettings.useOf(before.id);
  const text = compareState.useOf(before.id).filter ?? '';
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
    <Landmark className="column shrink shrink-y tall" aria-label="Differences">
      <ListToolbar {...{ before, after, whole, tables, rows }} />
      <WholeFilters id={before.id} whole={whole} tables={tables} settings={settings} />
      <div className="fill">
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
            whole.count === 0 ? 'All types are the same in both files' : 'No matching type'
          }
        />
      </div>
    </Landmark>
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
              <Button size="small" onClick={() => open(pair)} icon={Maximize2}>
                Open
              </Button>
            }
          />
        )
      }
    />
  );
}

type ListToolbarProps = WholePartProps & {
  readonly whole: WholeComparison;
  readonly tables: ComparedTables;
  /** Index in the comparison of each listed difference. */
  readonly rows: ReturnType<typeof listedRows>;
};

function ListToolbar({ before, after, whole, tables, rows }: ListToolbarProps) {
  const text = compareState.useOf(before.id).filter ?? '';
  const named = { whole, tables, before: before.name, after: after.name };
  return (
    <Toolbar
      label="List of differences"
      end={
        <ExportMenu
          sets={[
            {
              name: `${before.name}-to-${after.name}`,
              rows: 'the rows listed',
              texts: {
                csv: () => [...comparisonCsv(named, rows)].join(''),
                json: () => comparisonJson(named, rows),
                md: () => [...comparisonMarkdown(named, rows)].join(''),
              },
            },
          ]}
        />
      }
    >
      <div className={styles.search}>
        <FoundList
          label="Filter differences"
          placeholder="Name of a type"
          hint="/"
          value={text}
          onChange={(value) => compareState.set({ filter: value === '' ? null : value })}
          found={`${grouped(rows.length)} of ${grouped(whole.count)}`}
        />
      </div>
    </Toolbar>
  );
}

/** Selects a type of the list. Stores it in `listedAt`, so that the list stays open. */
function keepSelected(before: CompareSide, selection: Selection): void {
  compareSettings.set({ listedAt: selection }, before.id);
  compareState.set({ show: 'whole' });
  select(selection);
}

function pairOf(whole: WholeComparison, index: number | null): ComparedPair | null {
  if (index === null || index >= whole.count) return null;
  const [a, b] = [whole.a[index] ?? 0, whole.b[index] ?? 0];
  return { a: a === 0 ? null : typeId(a), b: b === 0 ? null : typeId(b) };
}

function sortBy(id: FileId, settings: CompareSettings, column: string): void {
  const order = COMPARE_ORDERS.find((name) => name === column);
  if (order === undefined) return;
  // The first click sorts numbers in descending order, names in ascending order.
  const first = order === 'weight' || order === 'size';
  compareSettings.set(
    { order, descending: order === settings.order ? !settings.descending : first },
    id,
  );
}

type WholeFiltersProps = {
  readonly id: FileId;
  readonly whole: WholeComparison;
  readonly tables: ComparedTables;
  readonly settings: CompareSettings;
};

function WholeFilters({ id, whole, tables, settings }: WholeFiltersProps) {
  const { states, facets, kind } = settings;
  const counts = stateCounts(whole);
  return (
    <div className={styles.filters}>
      <fieldset className={styles.group} aria-label="Result of the comparison">
        {STATES.map((state, i) => (
          <Chip
            key={state}
            tone={STATE_BADGES[state].tone}
            isPressed={states.has(state)}
            onClick={() => compareSettings.set({ states: toggled(states, state) }, id)}
          >
            {`${grouped(counts[i] ?? 0)} ${STATE_BADGES[state].text}`}
          </Chip>
        ))}
        <span className="small muted">{`${grouped(whole.same)} the same`}</span>
      </fieldset>
      <fieldset className={styles.group} aria-label="Kind of change">
        <select
          className={styles.select}
          aria-label="Kind"
          value={kind ?? ''}
          onChange={({ target }) =>
            compareSettings.set({ kind: target.value === '' ? null : Number(target.value) }, id)
          }
        >
          <option value="">All kinds</option>
          {listedKinds(whole, tables).map((one) => (
            <option key={one} value={one}>
              {kindName(one)}
            </option>
          ))}
        </select>
        {FACETS.map((facet) => (
          <Chip
            key={facet}
            isPressed={facets.has(facet)}
            onClick={() => compareSettings.set({ facets: toggled(facets, facet) }, id)}
          >
            {FACET_NAMES[facet].title}
          </Chip>
        ))}
      </fieldset>
      <dl className={styles.legend}>
        {LEGEND.map(([sign, meaning]) => (
          <div key={sign} className="row gap-1">
            <dt className="mono">{sign}</dt>
            <dd>{meaning}</dd>
          </div>
        ))}
      </dl>
    </div>
  );
}

function toggled<T>(set: ReadonlySet<T>, item: T): ReadonlySet<T> {
  const next = new Set(set);
  if (!next.delete(item)) next.add(item);
  return next;
}
