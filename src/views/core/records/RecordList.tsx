import { useMemo, useState } from 'react';
import type { CoreState } from '#analysis/core/outcome.ts';
import type { CoreResult } from '#analysis/core/resolve.ts';
import { type CoreIndex, coreIndex } from '#model/ids.ts';
import type { ObjectModel } from '#model/object-model.ts';
import type { CoreTask } from '#store/core-results.ts';
import type { ChosenTarget } from '#store/core-target.ts';
import { select } from '#store/navigation.ts';
import type { FileId } from '#store/session.ts';
import { grouped } from '#ui/grouped.ts';
import { SearchBox } from '#ui/SearchBox.tsx';
import { VirtualTable } from '#ui/VirtualTable.tsx';
import { OutcomeNote } from '#views/core/parts/OutcomeNote.tsx';
import { KindFilter, StateFilter } from '#views/core/parts/StateFilter.tsx';
import { countOf } from '#views/parts/number-text.ts';
import styles from './RecordList.module.css';
import { coreColumns } from './record-columns.tsx';
import { type CoreRowReader, filterRecords, kindCounts, stateCounts } from './record-rows.ts';

const NO_RESULTS: readonly CoreResult[] = [];

type RecordListProps = {
  readonly id: FileId;
  readonly model: ObjectModel;
  readonly read: CoreRowReader;
  /** The record that is looked at. */
  readonly core: CoreIndex | null;
  readonly chosen: ChosenTarget | null;
  readonly outcome: CoreTask | null;
};

/** All records with their filters and their results on the target. */
export function RecordList({ id, model, read, core, chosen, outcome }: RecordListProps) {
  const [filter, setFilter] = useState('');
  const [kinds, setKinds] = useState<ReadonlySet<number>>(new Set());
  const [states, setStates] = useState<ReadonlySet<CoreState>>(new Set());
  const total = model.ext.core.count;
  const hasTarget = chosen !== null;
  const results = outcome?.step === 'ready' ? outcome.value : null;
  const counts = useMemo(() => kindCounts(model), [model]);
  const ofStates = useMemo(() => stateCounts(results ?? NO_RESULTS), [results]);
  const passing = useMemo(
    () => filterRecords(model, read, { text: filter, kinds, states, results }),
    [model, read, filter, kinds, states, results],
  );
  const columns = useMemo(
    () =>
      coreColumns((index) => read(coreIndex(passing[index] ?? 0)), hasTarget ? { results } : null),
    [read, passing, hasTarget, results],
  );
  const lit = core === null ? -1 : passing.indexOf(core);
  const isFiltered = filter !== '' || kinds.size > 0 || (results !== null && states.size > 0);
  const go = (index: number, view?: 'code') => {
    const picked = passing[index];
    if (picked === undefined) return;
    select({ kind: 'core', core: coreIndex(picked), step: null }, view);
  };
  return (
    <section className="column shrink-y tall surface" aria-labelledby="core-title">
      <header className={styles.header}>
        <h2 id="core-title" className={styles.title}>
          CO-RE relocations
        </h2>
        <span className="small muted">{countOf(total, 'record')} in .BTF.ext</span>
      </header>
      <div className={styles.filters}>
        <SearchBox
          label="Filter CO-RE relocations"
          value={filter}
          onChange={setFilter}
          hint="/"
          {...(isFiltered ? { found: `${grouped(passing.length)} of ${grouped(total)}` } : {})}
        />
        {counts.length < 2 ? null : (
          <KindFilter counts={counts} chosen={kinds} onChange={setKinds} />
        )}
        {results === null ? null : (
          <StateFilter counts={ofStates} chosen={states} onChange={setStates} />
        )}
        {chosen === null ? null : <OutcomeNote object={id} chosen={chosen} outcome={outcome} />}
      </div>
      <div className={styles.table}>
        <VirtualTable
          label="CO-RE relocations"
          columns={columns}
          count={passing.length}
          selectedIndex={lit < 0 ? null : lit}
          scrollToIndex={lit < 0 ? null : lit}
          onSelect={(index) => go(index)}
          onActivate={(index) => go(index, 'code')}
          emptyText="No matching records"
        />
      </div>
    </section>
  );
}
