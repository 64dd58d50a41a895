import { ArrowDown, ArrowRight, ArrowUp } from 'lucide-react';
import { type ReactNode, useMemo, useState } from 'react';
import { facetCounts } from '#analysis/compare/changes.ts';
import type { TypeComparison } from '#analysis/compare/compare-types.ts';
import { changeText, typeLabel } from '#analysis/compare/comparison-text.ts';
import { typeTitle } from '#analysis/types/type-name.ts';
import { drawnName } from '#bytes/text.ts';
import type { TypeId } from '#model/ids.ts';
import { kindOf, nameOf } from '#model/type-table.ts';
import { Chip } from '#ui/Badge.tsx';
import { Button } from '#ui/Button.tsx';
import { Callout } from '#ui/Callout.tsx';
import { MEDIUM, useNarrow } from '#ui/element-size.tsx';
import { Segmented } from '#ui/inputs.tsx';
import { Kbd, useKeys } from '#ui/keys.tsx';
import { VirtualTable } from '#ui/VirtualTable.tsx';
import { KindBadge } from '#views/parts/KindBadge.tsx';
import { widthText } from '#views/parts/layout-text.ts';
import { Name } from '#views/parts/Name.tsx';
import { countOf } from '#views/parts/number-text.ts';
import {
  type ComparedPair,
  type CompareSide,
  comparisonOf,
  heldPair,
  showPair,
} from './compared-pair.ts';
import { facetParts, holeBytes, holesText } from './facet-text.ts';
import { COMPARE_KEYS } from './keys.ts';
import styles from './LockStep.module.css';
import { lockColumns, shownLines, stopAfter, stopsOf } from './lock-columns.tsx';
import { compareSettings } from './state.ts';

/** Shows two types side by side. The keys `n` and `p` go to the next and previous difference. */
export function LockStep(props: {
  readonly before: CompareSide;
  readonly after: CompareSide;
  readonly pair: ComparedPair;
  /** Whether the types are named elsewhere: only screen readers need the title. */
  readonly isTitled?: boolean;
  /** Whether the pane is narrow because it is beside a list. */
  readonly isNarrow?: boolean;
  readonly actions?: ReactNode;
}) {
  const { before, after, pair } = props;
  const { a, b } = pair;
  const comparison = useMemo(
    () => comparisonOf(before.types, after.types, { a, b }),
    [before.types, after.types, a, b],
  );
  if (comparison === null) return null;
  return (
    <Lines
      // Each pair of types has its own key, so that the first difference is selected anew.
      key={`${before.id}:${after.id}:${pair.a}:${pair.b}`}
      {...props}
      comparison={comparison}
    />
  );
}

function Lines({
  before,
  after,
  pair,
  isNarrow = false,
  isTitled = false,
  actions,
  comparison,
}: Parameters<typeof LockStep>[0] & { readonly comparison: TypeComparison }) {
  const { onlyChanged } = compareSettings.useOf(before.id);
  const isTight = useNarrow(MEDIUM) || isNarrow;
  const isLone = pair.a === null || pair.b === null;
  const { lines } = comparison;
  const shown = useMemo(
    () => shownLines(lines, onlyChanged && !isLone),
    [lines, onlyChanged, isLone],
  );
  const stops = useMemo(() => (isLone ? [] : stopsOf(lines, shown)), [lines, shown, isLone]);
  const [selected, setSelected] = useState<number | null>(null);
  // Initially the first difference is selected.
  const row = selected ?? stops[0] ?? null;
  const [sought, seek] = useState<number | null>(null);
  const columns = useMemo(() => {
    const rows = shown.flatMap((index) => lines[index] ?? []);
    return lockColumns(rows, {
      before: before.types,
      after: after.types,
      hasPlaces: lines.some(({ a, b }) => (a ?? b)?.role !== 'enumerator'),
      isTight,
    });
  }, [lines, shown, before.types, after.types, isTight]);
  const go = (direction: 1 | -1) => {
    const next = stopAfter(stops, row, direction);
    if (next === null) return;
    setSelected(next);
    seek(next);
  };
  useKeys(COMPARE_KEYS, (action) => {
    go(action === 'next' ? 1 : -1);
    return true;
  });
  const head = <LockStepHead {...{ before, after, pair, comparison, isTitled }} />;
  // Enter compares the types that the line names.
  const follow = (index: number) => {
    const line = lines[shown[index] ?? -1];
    const held = line === undefined ? null : heldPair(before.types, after.types, line);
    if (held !== null) showPair(before.types, after.types, held);
  };
  const number = row === null ? -1 : stops.indexOf(row);
  return (
    <div className="column shrink shrink-y tall">
      {isTitled ? null : (
        <div className={styles.top}>
          {head}
          {actions}
        </div>
      )}
      <div className={styles.bar}>
        <Segmented
          label="Lines"
          options={{ all: 'All lines', changed: 'Differences' }}
          value={onlyChanged ? 'changed' : 'all'}
          onChange={(value) => {
            compareSettings.set({ onlyChanged: value === 'changed' }, before.id);
            setSelected(null);
          }}
        />
        <div className="gap-1 flex">
          <Button size="small" disabled={stops.length === 0} onClick={() => go(-1)} icon={ArrowUp}>
            Previous
            <Kbd>p</Kbd>
          </Button>
          <Button size="small" disabled={stops.length === 0} onClick={() => go(1)} icon={ArrowDown}>
            Next
            <Kbd>n</Kbd>
          </Button>
        </div>
        <span className="small soft" aria-live="polite">
          {stopWords(number, stops.length, isLone)}
        </span>
        {isTitled ? head : null}
      </div>
      {comparison.isCut ? (
        <Callout severity="note" title="Too many anonymous types: some are not expanded." />
      ) : null}
      <div className={styles.table}>
        <VirtualTable
          label="Lines of both types"
          isInOrder
          columns={columns}
          count={shown.length}
          rowHeight={isTight ? 48 : 24}
          selectedIndex={row}
          onSelect={setSelected}
          onActivate={follow}
          scrollToIndex={sought ?? stops[0] ?? null}
          emptyText={lines.length === 0 ? 'There are no lines in this type' : 'No line differs'}
        />
      </div>
    </div>
  );
}

function stopWords(number: number, count: number, isLone: boolean): string {
  if (isLone) return '';
  if (count === 0) return 'No line differs';
  if (number >= 0) return `Difference ${number + 1} of ${count}`;
  return countOf(count, 'difference');
}

type LockStepHeadProps = {
  readonly before: CompareSide;
  readonly after: CompareSide;
  readonly pair: ComparedPair;
  readonly comparison: TypeComparison;
  /** Whether only screen readers get the title. */
  readonly isTitled: boolean;
};

function LockStepHead({ before, after, pair, comparison, isTitled }: LockStepHeadProps) {
  const { a, b } = pair;
  const holesBefore = holeBytes(before.types, a);
  const holesAfter = holeBytes(after.types, b);
  const holes = holesText(holesBefore, holesAfter, (bytes) => widthText(8 * bytes));
  const isOneName = a !== null && b !== null && nameOf(before.types, a) === nameOf(after.types, b);
  return (
    <header className={styles.head}>
      <h2 className={isTitled ? 'visually-hidden' : styles.title}>
        {a === null ? null : <Title side={before} type={a} />}
        {a === null || b === null || isOneName ? null : <ArrowRight size={14} aria-hidden />}
        {b === null || isOneName ? null : <Title side={after} type={b} />}
      </h2>
      <p className="soft">{verdictText(pair, comparison)}</p>
      <ul className={styles.changes} aria-label="Changes of the type as a whole">
        {comparison.head.map((change) => (
          <li key={change.what}>
            <Chip tone="warning">{drawnName(changeText(change))}</Chip>
          </li>
        ))}
        {holes === '' ? null : (
          <li>
            <Chip tone={holesBefore === holesAfter ? 'muted' : 'warning'}>{`holes ${holes}`}</Chip>
          </li>
        )}
      </ul>
    </header>
  );
}

function Title({ side, type }: { readonly side: CompareSide; readonly type: TypeId }) {
  const label = typeLabel(side.types, type);
  return (
    <>
      <KindBadge kind={kindOf(side.types, type)} />
      <Name text={label === '(anon)' ? typeTitle(side.types, type) : label} />
    </>
  );
}

function verdictText({ a, b }: ComparedPair, comparison: TypeComparison): string {
  if (a === null) return 'Only after';
  if (b === null) return 'Only before';
  switch (comparison.verdict) {
    case 'same':
      return 'The same on both sides, with all types that it contains';
    case 'inside':
      return 'Its own lines are the same: only a type that it contains differs';
    case 'direct': {
      // The list of changes states the size: leave it out here.
      const [, ...counts] = facetCounts(comparison);
      const parts = facetParts([0, ...counts]);
      return parts.length === 0 ? 'Changed' : parts.join(', ');
    }
  }
}
