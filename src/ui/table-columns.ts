import type { ReactNode } from 'react';

/** CSS pixels of a row of a VirtualTable, of one in a table of members, and of the header. */
export const ROW_HEIGHT = 28;
export const DENSE_ROW_HEIGHT = 26;
export const HEADER_HEIGHT = 28;

/**
 * CSS pixels for a VirtualTable in a page that scrolls: all rows, or `most` of them; then half
 * a row more shows that the table scrolls.
 */
export function tableHeight(count: number, most: number, rowHeight: number = ROW_HEIGHT): number {
  const cut = count > most ? rowHeight / 2 : 0;
  return HEADER_HEIGHT + rowHeight * Math.max(1, Math.min(count, most)) + cut;
}

export type TableColumn = {
  readonly id: string;
  readonly header: string;
  /** Drawn in the head instead of its name, in columns that cannot be sorted. */
  readonly heading?: ReactNode;
  /** CSS pixels; the least width of a column that grows. */
  readonly width: number;
  /** Its share of the width that is left over; 0, the default, keeps `width`. */
  readonly grow?: number;
  readonly align?: 'start' | 'end';
  readonly mono?: boolean;
  readonly sortable?: boolean;
  readonly cell: (rowIndex: number) => ReactNode;
};

export type RowColumn<Row> = Omit<TableColumn, 'cell'> & {
  readonly cell: (row: Row, rowIndex: number) => ReactNode;
};

/** The look of a column of numbers: at the end of its cell, in the font of code. */
export const NUMBER = { align: 'end', mono: true } as const;

/** A column by what every column has; `more`: how it grows, sorts and looks. */
export function column<Row>(
  id: string,
  header: string,
  width: number,
  cell: RowColumn<Row>['cell'],
  more: Omit<RowColumn<Row>, 'id' | 'header' | 'width' | 'cell'> = {},
): RowColumn<Row> {
  return { id, header, width, cell, ...more };
}

/** Columns whose cells draw a row of `rowAt`; where that has none, nothing. */
export function rowColumns<Row>(
  rowAt: (rowIndex: number) => Row | null | undefined,
  columns: readonly RowColumn<Row>[],
): TableColumn[] {
  return columns.map((column) => ({
    ...column,
    cell: (index) => {
      const row = rowAt(index);
      return row === null || row === undefined ? null : column.cell(row, index);
    },
  }));
}

/** `grid-template-columns` for the header and each row; both come out alike. */
export function gridTemplateOf(columns: readonly TableColumn[]): string {
  return columns
    .map(({ width, grow = 0 }) => (grow > 0 ? `minmax(${width}px, ${grow}fr)` : `${width}px`))
    .join(' ');
}

/** CSS pixels under which the table scrolls sideways. */
export function minWidthOf(columns: readonly TableColumn[]): number {
  return columns.reduce((sum, column) => sum + column.width, 0);
}

/** Where each column starts when none has grown, in CSS pixels. */
export function columnStarts(columns: readonly TableColumn[]): number[] {
  const starts: number[] = [];
  let start = 0;
  for (const { width } of columns) {
    starts.push(start);
    start += width;
  }
  return starts;
}

/** The column that a key leads to, or null when the key moves no column. */
export function columnAfterKey(key: string, from: number, count: number): number | null {
  if (key === 'ArrowLeft') return Math.max(0, from - 1);
  if (key === 'ArrowRight') return Math.max(0, Math.min(count - 1, from + 1));
  return null;
}
