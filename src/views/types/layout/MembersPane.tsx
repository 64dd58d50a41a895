import { useMemo, useState } from 'react';
import type { MemberRow } from '#analysis/layout/member-rows.ts';
import { memberNear, rowOfPath } from '#analysis/layout/member-rows.ts';
import type { TypeTable } from '#model/type-table.ts';
import { DENSE_ROW_HEIGHT } from '#ui/table-columns.ts';
import { VirtualTable } from '#ui/VirtualTable.tsx';
import { memberColumns } from '#views/types/member-columns.tsx';
import styles from './MembersPane.module.css';
import { BY_OFFSET, nextOrder, orderedRows } from './member-order.ts';

const SORTABLE = new Set(['name', 'hex', 'size']);

type MembersPaneProps = {
  readonly types: TypeTable;
  readonly rows: readonly MemberRow[];
  readonly onlyHoles: boolean;
  readonly memberPath: readonly number[];
  readonly onChoose: (path: readonly number[]) => void;
  readonly toggle: (path: readonly number[]) => void;
};

/** The members as a table, by offset, size or name. */
export function MembersPane(props: MembersPaneProps) {
  const { types, rows, onlyHoles, memberPath, onChoose, toggle } = props;
  const [order, setOrder] = useState(BY_OFFSET);
  const shown = useMemo(() => orderedRows(rows, order, onlyHoles), [rows, order, onlyHoles]);
  const columns = useMemo(
    () =>
      memberColumns(types, shown, toggle)
        .filter(({ id }) => id !== 'bit' && id !== 'byte')
        .map((column) => (SORTABLE.has(column.id) ? { ...column, sortable: true } : column)),
    [types, shown, toggle],
  );
  const selectedIndex = rowOfPath(shown, memberPath);
  return (
    <div className={styles.frame}>
      <VirtualTable
        label="Members"
        columns={columns}
        count={shown.length}
        rowHeight={DENSE_ROW_HEIGHT}
        selectedIndex={selectedIndex}
        onSelect={(index) => {
          const near = memberNear(shown, index, selectedIndex);
          const row = near === null ? undefined : shown[near];
          if (row !== undefined) onChoose(row.path);
        }}
        onActivate={(index) => {
          const row = shown[index];
          if (row !== undefined && row.inner !== null) toggle(row.path);
        }}
        scrollToIndex={selectedIndex}
        sort={order}
        onSort={(columnId) => setOrder(nextOrder(order, columnId))}
        emptyText={onlyHoles ? 'There is no hole in it' : 'It has no members'}
      />
    </div>
  );
}
