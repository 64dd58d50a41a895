import { useMemo } from 'react';
import type { Selection } from '#model/selection.ts';
import { select } from '#store/address/navigation.ts';
import type { ViewName } from '#store/session/views.ts';
import { type RowColumn, rowColumns, tableHeight } from '#ui/table-columns.ts';
import { VirtualTable, type VirtualTableProps } from '#ui/VirtualTable.tsx';
import styles from './LinkTable.module.css';

type LinkTableProps = VirtualTableProps & { readonly onActivate: (index: number) => void };

/**
 * A table whose rows lead somewhere: a click follows at once, arrow keys only
 * move over the rows and Enter follows.
 */
export function LinkTable(props: LinkTableProps) {
  return (
    <div className={styles.frame}>
      <VirtualTable {...props} onRowClick={props.onActivate} />
    </div>
  );
}

type SelectionTableProps<Row> = Pick<VirtualTableProps, 'label' | 'sort' | 'onSort'> & {
  /** Keep the identity of `rows` and of `columns` while they stay the same. */
  readonly rows: { readonly length: number; at(index: number): Row | undefined };
  readonly columns: readonly RowColumn<Row>[];
  /** How many rows are in sight at most. */
  readonly most: number;
  /** null or below 0 for none. */
  readonly selectedIndex?: number | null;
  readonly selectionOf: (row: Row, index: number) => Selection | null;
  /** Where a row leads; without it the page stays in its view, and arrow keys select nothing. */
  readonly view?: ViewName;
  readonly className?: string | undefined;
};

/** A LinkTable in a page that scrolls, whose rows select what they stand for. */
export function SelectionTable<Row>(props: SelectionTableProps<Row>) {
  const {
    rows,
    columns,
    most,
    selectedIndex = null,
    selectionOf,
    view,
    className,
    ...rest
  } = props;
  const drawn = useMemo(() => rowColumns((index) => rows.at(index), columns), [rows, columns]);
  const go = (index: number, to?: ViewName) => {
    const row = rows.at(index);
    const selection = row === undefined ? null : selectionOf(row, index);
    if (selection !== null) select(selection, to);
  };
  return (
    <div className={className} style={{ height: tableHeight(rows.length, most) }}>
      <LinkTable
        {...rest}
        columns={drawn}
        count={rows.length}
        selectedIndex={selectedIndex !== null && selectedIndex >= 0 ? selectedIndex : null}
        onSelect={(index) => {
          if (view !== undefined) go(index);
        }}
        onActivate={(index) => go(index, view)}
      />
    </div>
  );
}
