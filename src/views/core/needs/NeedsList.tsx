import { useMemo, useState } from 'react';
import type { CoreNeeds } from '#analysis/core-needs/needs.ts';
import { type Selection, typeSelection } from '#model/selection.ts';
import type { TypeTable } from '#model/type-table.ts';
import { setCoreMode } from '#store/core-view.ts';
import { select } from '#store/navigation.ts';
import { grouped } from '#ui/grouped.ts';
import { SearchBox } from '#ui/SearchBox.tsx';
import { VirtualTable } from '#ui/VirtualTable.tsx';
import { countOf } from '#views/parts/number-text.ts';
import styles from './NeedsList.module.css';
import { needColumns } from './need-columns.tsx';
import { needRows, pathCount, rowOfSelection } from './need-rows.ts';

/** Each type with what is asked of it: how, how often, and by whom. */
export function NeedsList({
  types,
  needs,
  selection,
}: {
  readonly types: TypeTable;
  readonly needs: CoreNeeds;
  readonly selection: Selection;
}) {
  const [filter, setFilter] = useState('');
  const rows = useMemo(() => needRows(needs, filter), [needs, filter]);
  const columns = useMemo(() => needColumns(types, (index) => rows[index]), [types, rows]);
  const lit = rowOfSelection(rows, selection);
  const paths = rows.filter((row) => row.row === 'path').length;
  const choose = (index: number) => {
    const row = rows[index];
    if (row === undefined) return;
    const [core] = row.row === 'path' ? row.path.records : [];
    select(core === undefined ? typeSelection(row.type.root) : { kind: 'core', core, step: null });
  };
  const open = (index: number) => {
    const row = rows[index];
    if (row?.row === 'path') setCoreMode('records');
    else if (row !== undefined) select(typeSelection(row.type.root), 'types');
  };
  return (
    <section className={styles.list} aria-labelledby="needs-title">
      <header className={styles.header}>
        <h2 id="needs-title" className={styles.title}>
          What this object needs
        </h2>
        <p className={styles.counts}>
          {countOf(pathCount(needs), 'thing')} of {countOf(needs.types.length, 'type')}, asked for
          by {countOf(needs.count, 'relocation')}
        </p>
        <SearchBox
          label="Filter what is needed"
          placeholder="Filter: a type, a field, a program, a kind"
          hint="/"
          value={filter}
          onChange={setFilter}
          {...(filter === '' ? {} : { found: `${grouped(paths)} of ${grouped(pathCount(needs))}` })}
        />
      </header>
      <VirtualTable
        label="What this object needs"
        columns={columns}
        count={rows.length}
        rowHeight={26}
        selectedIndex={lit}
        scrollToIndex={lit}
        onSelect={choose}
        onActivate={open}
        emptyText="Nothing that is needed has this in its name"
      />
    </section>
  );
}
