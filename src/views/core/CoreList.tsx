import { useMemo, useState } from 'react';
import { type CoreIndex, coreIndex } from '#model/ids.ts';
import type { ObjectModel } from '#model/object-model.ts';
import { select } from '#store/navigation.ts';
import { grouped } from '#ui/grouped.ts';
import { SearchBox } from '#ui/SearchBox.tsx';
import { VirtualTable } from '#ui/VirtualTable.tsx';
import { countOf } from '#views/parts/number-text.ts';
import styles from './CoreList.module.css';
import { coreColumns } from './core-columns.tsx';
import { type CoreRowReader, filterRecords, kindCounts } from './core-rows.ts';
import { KindFilter } from './KindFilter.tsx';

/** All records with their filters. `core` is the one that is looked at. */
export function CoreList({
  model,
  read,
  core,
}: {
  readonly model: ObjectModel;
  readonly read: CoreRowReader;
  readonly core: CoreIndex | null;
}) {
  const [filter, setFilter] = useState('');
  const [kinds, setKinds] = useState<ReadonlySet<number>>(new Set());
  const total = model.ext.core.count;
  const counts = useMemo(() => kindCounts(model), [model]);
  const passing = useMemo(
    () => filterRecords(model, read, filter, kinds),
    [model, read, filter, kinds],
  );
  const columns = useMemo(
    () => coreColumns((index) => read(coreIndex(passing[index] ?? 0))),
    [read, passing],
  );
  const lit = core === null ? -1 : passing.indexOf(core);
  const isFiltered = filter !== '' || kinds.size > 0;
  const go = (index: number, view?: 'code') => {
    const picked = passing[index];
    if (picked === undefined) return;
    select({ kind: 'core', core: coreIndex(picked), step: null }, view);
  };
  return (
    <section className={styles.list} aria-labelledby="core-title">
      <header className={styles.header}>
        <h2 id="core-title" className={styles.title}>
          CO-RE relocations
        </h2>
        <span className={styles.count}>{countOf(total, 'record')} in .BTF.ext</span>
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
          emptyText="No record passes the filter"
        />
      </div>
    </section>
  );
}
