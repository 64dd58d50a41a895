/** The order of a table's rows by what a column shows. */

import { isValidElement, type ReactNode } from 'react';
import { LEAST_WIDTH, type SortOrder, type TableSettings } from './table-settings.ts';

/** CSS pixels of a row of a VirtualTable, of one in a table of members, and of the header. */
export const ROW_HEIGHT = 28;
export const DENSE_ROW_HEIGHT = 26;
/** Of a row with a cell below the others. */
export const TWO_LINE_ROW_HEIGHT = 46;
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
  /** Drawn in the head instead of its name. */
  readonly heading?: ReactNode;
  /** CSS pixels; the least width of a column that grows. */
  readonly width: number;
  /** Its share of the width that is left over; 0, the default, keeps `width`. */
  readonly grow?: number;
  readonly align?: 'start' | 'end';
  readonly mono?: boolean;
  /** Drawn below the other cells, as wide as the row: `width` and `grow` do not count. */
  readonly isBelow?: boolean;
  /** Can `onSort` of the table order by it? */
  readonly sortable?: boolean;
  readonly cell: (rowIndex: number) => ReactNode;
  /** What the table itself sorts by; the words of the cell unless told. */
  readonly by?: (rowIndex: number) => SortValue;
};

export type RowColumn<Row> = Omit<TableColumn, 'cell' | 'by'> & {
  readonly cell: (row: Row, rowIndex: number) => ReactNode;
  readonly by?: (row: Row) => SortValue;
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
  return columns.map(({ by, cell, ...column }) => ({
    ...column,
    cell: (index) => {
      const row = rowAt(index);
      return row === null || row === undefined ? null : cell(row, index);
    },
    ...(by === undefined
      ? {}
      : {
          by: (index: number) => {
            const row = rowAt(index);
            return row === null || row === undefined ? null : by(row);
          },
        }),
  }));
}

/** The columns as a person has arranged them: at least one, and none that grows where a width was given. */
export function arranged(
  columns: readonly TableColumn[],
  { widths, hidden }: TableSettings,
): readonly TableColumn[] {
  const shown = columns.filter(({ id }) => !hidden.includes(id));
  const kept = shown.length === 0 ? columns : shown;
  if (kept.length === columns.length && columns.every(({ id }) => widths[id] === undefined)) {
    return columns;
  }
  return kept.map((column) => {
    const width = widths[column.id];
    return width === undefined
      ? column
      : { ...column, width: Math.max(LEAST_WIDTH, width), grow: 0 };
  });
}

function inLine(columns: readonly TableColumn[]): readonly TableColumn[] {
  return columns.filter(({ isBelow = false }) => !isBelow);
}

/** `grid-template-columns` for the header and each row; both come out alike. */
export function gridTemplateOf(columns: readonly TableColumn[]): string {
  return inLine(columns)
    .map(({ width, grow = 0 }) => (grow > 0 ? `minmax(${width}px, ${grow}fr)` : `${width}px`))
    .join(' ');
}

/** CSS pixels under which the table scrolls sideways. */
export function minWidthOf(columns: readonly TableColumn[]): number {
  return inLine(columns).reduce((sum, column) => sum + column.width, 0);
}

/** Where each column starts when none has grown, in CSS pixels; one below the others at 0. */
export function columnStarts(columns: readonly TableColumn[]): number[] {
  const starts: number[] = [];
  let start = 0;
  for (const { width, isBelow = false } of columns) {
    starts.push(isBelow ? 0 : start);
    if (!isBelow) start += width;
  }
  return starts;
}

/** The column that a key leads to, or null when the key moves no column. */
export function columnAfterKey(key: string, from: number, count: number): number | null {
  if (key === 'ArrowLeft') return Math.max(0, from - 1);
  if (key === 'ArrowRight') return Math.max(0, Math.min(count - 1, from + 1));
  return null;
}

type SortValue = string | number | bigint | null;

/** More rows are not sorted by the table itself: their cells are made for it in one go. */
export const MAX_SORTED = 50_000;

/** Where each row stands, and which row stands where. */
export type RowOrder = { readonly rowAt: Uint32Array; readonly placeOf: Uint32Array };

/** The rows in the order of a column; equal ones stay as they are, those without a value come last. Null where the column is not there. */
export function rowOrder(
  columns: readonly TableColumn[],
  count: number,
  { columnId, direction }: SortOrder,
): RowOrder | null {
  const column = columns.find(({ id }) => id === columnId);
  if (column === undefined || count > MAX_SORTED) return null;
  const by = column.by ?? ((row: number) => sortValue(cellText(column.cell(row))));
  const values = Array.from({ length: count }, (_, row) => by(row));
  const sign = direction === 'ascending' ? 1 : -1;
  const rowAt = Uint32Array.from(values.keys()).sort((a, b) => {
    const [x, y] = [values[a] ?? null, values[b] ?? null];
    if (x === null || y === null) return Number(x === null) - Number(y === null) || a - b;
    return sign * compare(x, y) || a - b;
  });
  const placeOf = new Uint32Array(count);
  for (const [place, row] of rowAt.entries()) placeOf[row] = place;
  return { rowAt, placeOf };
}

const byText = new Intl.Collator('en', { numeric: true });

/** Numbers before texts. */
function compare(x: string | number | bigint, y: string | number | bigint): number {
  const isText = typeof x === 'string';
  if (isText !== (typeof y === 'string')) return isText ? 1 : -1;
  if (typeof x === 'string' && typeof y === 'string') return byText.compare(x, y);
  return x < y ? -1 : x > y ? 1 : 0;
}

const HEX = /^0x[\da-f]+$/i;
const DECIMAL = /^[-−]?\d[\d\s,\u202f\u2009]*(?:\.\d+)?$/;

/** A text as it is sorted: a number where it is one, null where it is empty. */
function sortValue(text: string): SortValue {
  if (text === '') return null;
  if (HEX.test(text)) return BigInt(text);
  if (!DECIMAL.test(text)) return text;
  return Number(text.replace(/[\s,\u202f\u2009]/g, '').replace('−', '-'));
}

/** The words that a cell draws: its texts, and those that its elements are given as `text` or children. */
export function cellText(node: ReactNode): string {
  const parts: string[] = [];
  const open: ReactNode[] = [node];
  while (open.length > 0) {
    const next = open.pop();
    if (typeof next === 'string' || typeof next === 'number') parts.push(`${next}`);
    else if (Array.isArray(next)) for (const one of next.toReversed()) open.push(one);
    else if (isValidElement<{ text?: ReactNode; children?: ReactNode }>(next)) {
      open.push(next.props.children, next.props.text);
    }
  }
  return parts.join('').trim();
}
