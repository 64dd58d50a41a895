import type { ReactNode } from 'react';
import type { TableColumn } from '#ui/table-columns.ts';

export type RowColumn<Row> = Omit<TableColumn, 'cell'> & {
  readonly cell: (row: Row) => ReactNode;
};

/** Columns that draw rows, as columns that draw row numbers; a number without a row draws nothing. */
export function rowColumns<Row>(
  rowAt: (index: number) => Row | undefined,
  columns: readonly RowColumn<Row>[],
): TableColumn[] {
  return columns.map((column) => ({
    ...column,
    cell: (index: number) => {
      const row = rowAt(index);
      return row === undefined ? null : column.cell(row);
    },
  }));
}
