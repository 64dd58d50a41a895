import { ChevronDown, ChevronsUpDown, ChevronUp } from 'lucide-react';
import { gridTemplateOf, minWidthOf, type TableColumn } from './table-columns.ts';
import styles from './VirtualTable.module.css';

export type SortOrder = {
  readonly columnId: string;
  readonly direction: 'ascending' | 'descending';
};

type TableHeaderProps = {
  readonly columns: readonly TableColumn[];
  /** CSS pixels. */
  readonly height: number;
  readonly sort: SortOrder | null;
  readonly onSort: ((columnId: string) => void) | undefined;
};

/** The header row of a VirtualTable. A sortable column's name is a button that asks for `onSort`. */
export function TableHeader({ columns, height, sort, onSort }: TableHeaderProps) {
  return (
    <thead className={styles.header} style={{ height, minWidth: minWidthOf(columns) }}>
      <tr
        aria-rowindex={1}
        className={styles.headerRow}
        style={{ gridTemplateColumns: gridTemplateOf(columns) }}
      >
        {columns.map((column, index) => {
          const direction = sort?.columnId === column.id ? sort.direction : 'none';
          const isSortable = column.sortable === true && onSort !== undefined;
          return (
            <th
              key={column.id}
              scope="col"
              className={styles.headerCell}
              data-align={column.align}
              aria-colindex={index + 1}
              aria-sort={isSortable ? direction : undefined}
            >
              {isSortable ? (
                <button type="button" className={styles.sort} onClick={() => onSort(column.id)}>
                  <span className={styles.headerText}>{column.header}</span>
                  <SortIcon direction={direction} />
                </button>
              ) : (
                <span className={styles.headerText}>{column.heading ?? column.header}</span>
              )}
            </th>
          );
        })}
      </tr>
    </thead>
  );
}

function SortIcon({ direction }: { readonly direction: 'ascending' | 'descending' | 'none' }) {
  if (direction === 'ascending') return <ChevronUp size={12} aria-hidden />;
  if (direction === 'descending') return <ChevronDown size={12} aria-hidden />;
  return <ChevronsUpDown size={12} aria-hidden className={styles.unsorted} />;
}
