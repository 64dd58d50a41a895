import { useRef, useState } from 'react';
import type { TableColumn } from '#ui/table-columns.ts';
import { DENSE_ROW_HEIGHT, tableHeight } from '#ui/table-columns.ts';
import { useRowInSight } from '#ui/use-row-in-sight.ts';
import { VirtualTable } from '#ui/VirtualTable.tsx';
import styles from './ItemTable.module.css';

const MOST_ROWS = 16;

type ItemTableProps = {
  readonly label: string;
  readonly columns: readonly TableColumn[];
  readonly count: number;
  readonly emptyText: string;
  readonly onActivate?: (index: number) => void;
};

/** A table of items that cannot be selected: its marked row is where the keys are, and nothing more. */
export function ItemTable({ label, columns, count, emptyText, onActivate }: ItemTableProps) {
  const frame = useRef<HTMLDivElement>(null);
  const [cursor, setCursor] = useState<number | null>(null);
  useRowInSight(frame, cursor);
  if (count === 0) return <p className={styles.empty}>{emptyText}</p>;
  return (
    <div
      ref={frame}
      className={styles.frame}
      style={{ height: tableHeight(count, MOST_ROWS, DENSE_ROW_HEIGHT) + 2 }}
    >
      <VirtualTable
        label={label}
        columns={columns}
        count={count}
        rowHeight={DENSE_ROW_HEIGHT}
        selectedIndex={cursor}
        onSelect={setCursor}
        {...(onActivate === undefined ? {} : { onActivate })}
      />
    </div>
  );
}
