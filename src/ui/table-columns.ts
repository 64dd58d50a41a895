/** Columns of a VirtualTable, and how they sort the rows. */

import { isValidElement, type ReactNode } from 'react';
import { LEAST_WIDTH, type SortOrder, type TableSettings } from './table-settings.ts';

/** Height of a row of a VirtualTable in CSS pixels. */
export const ROW_HEIGHT = 28;
export const DENSE_ROW_HEIGHT = 26;
/** Height in CSS pixels of a row that has a second line (`isBelow`). */
export const TWO_LINE_ROW_HEIGHT = 46;
export const HEADER_HEIGHT = 28;

/** Returns a table's height in CSS pixels: all rows, or `most` and a half if there are more. */
export function tableHeight(count: number, most: number, rowHeight: number = ROW_HEIGHT): number {
  const cut = count > most ? rowHeight / 2 : 0;
  return HEADER_HEIGHT + rowHeight * Math.max(1, Math.min(count, most)) + cut;
}

export type TableColumn = {
  readonly id: string;
  readonly header: string;
  /** Content of the header cell, instead of the text `header`. */
  readonly heading?: ReactNode;
  /** Width in CSS pixels; for a column that grows, the minimum width. */
  readonly width: number;
  /** Whether the column gets a share of the remaining width: more than 0. By default 0. */
  readonly grow?: number;
  /** Width in CSS pixels that the content needs, by which the remaining width is shared. */
  readonly need?: number;
  /** Width in CSS pixels that the longest text of a sample of the rows is estimated to need. */
  readonly estimate?: number;
  /** Whether the user has set the width. */
  readonly isFixed?: boolean;
  readonly align?: 'start' | 'end';
  readonly mono?: boolean;
  /** Whether the cell is in a second line of the row, under all other cells. */
  readonly isBelow?: boolean;
  /** Whether the parent's `onSort` can sort by the column. */
  readonly sortable?: boolean;
  readonly cell: (rowIndex: number) => ReactNode;
  /** Returns the value by which the table sorts a row; by default the text of the cell. */
  readonly by?: (rowIndex: number) => SortValue;
};

export type RowColumn<Row> = Omit<TableColumn, 'cell' | 'by'> & {
  readonly cell: (row: Row, rowIndex: number) => ReactNode;
  readonly by?: (row: Row) => SortValue;
};

/** Alignment and font of a column of numbers. */
export const NUMBER = { align: 'end', mono: true } as const;

/** Returns a column. `more` has optional properties, such as growth and sorting. */
export function column<Row>(
  id: string,
  header: string,
  width: number,
  cell: RowColumn<Row>['cell'],
  more: Omit<RowColumn<Row>, 'id' | 'header' | 'width' | 'cell'> = {},
): RowColumn<Row> {
  return { id, header, width, cell, ...more };
}

/** Returns columns that get their rows from `rowAt`. A row that is not there has empty cells. */
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

/** Number of rows whose texts decide the widths: the first ones, and as many between the others. */
const FITTED_ROWS = 32;
/** Widths in CSS pixels of a character of the code font, and of a cell's padding. */
const LETTER_WIDTH = 7.9;
const CELL_PADDING = 26;
/** Width in CSS pixels that a badge or icon may add to its text. */
const ELEMENT_PADDING = 24;
/** Width of a header's sort icon, in letters. */
const SORT_LETTERS = 3;
/** Letters of a column that are counted at most: names may have a megabyte each. */
const MOST_LETTERS = 20_000;
/** Largest need of a column: a longer text is cut. */
const MOST_NEEDED = 720;

/** Returns the columns with the widths that the texts of a sample of the rows need. */
export function fitted(columns: readonly TableColumn[], count: number): readonly TableColumn[] {
  const rows: number[] = [];
  for (let row = 0; row < Math.min(count, FITTED_ROWS); row++) rows.push(row);
  const rest = count - rows.length;
  const step = Math.max(1, Math.ceil(rest / FITTED_ROWS));
  for (let row = rows.length; row < count; row += step) rows.push(row);
  return columns.map((column) => {
    let letters = 0;
    let isPlain = column.isBelow !== true;
    let total = 0;
    for (const row of rows) {
      const cell = column.cell(row);
      const { length } = cellText(cell);
      letters = Math.max(letters, length);
      isPlain &&= typeof cell !== 'object' || cell === null;
      total += length;
      if (total > MOST_LETTERS) break;
    }
    const text = estimatedWidth(Math.max(letters, column.header.length + SORT_LETTERS));
    const need = Math.min(MOST_NEEDED, isPlain ? text : text + ELEMENT_PADDING);
    const estimate = Math.min(MOST_NEEDED, estimatedWidth(letters));
    // The width of elements, such as icons, is not known.
    if (!isPlain) return { ...column, need: Math.max(column.width, need), estimate };
    return { ...column, width: Math.min(column.width, need), need, estimate };
  });
}

/** Returns the estimated width in CSS pixels of a cell whose text has this many letters. */
export function estimatedWidth(letters: number): number {
  return Math.ceil(letters * LETTER_WIDTH) + CELL_PADDING;
}

/** Returns the columns that are not hidden, at least one, with the widths that the user chose. */
export function arranged(
  columns: readonly TableColumn[],
  { widths, hidden }: TableSettings,
): readonly TableColumn[] {
  const shown = columns.filter(({ id }) => !hidden.includes(id));
  const visible = shown.length === 0 ? columns : shown;
  if (visible.length === columns.length && columns.every(({ id }) => widths[id] === undefined)) {
    return columns;
  }
  return visible.map((column) => {
    const width = widths[column.id];
    return width === undefined ? column : { ...column, ...exactly(Math.max(LEAST_WIDTH, width)) };
  });
}

const exactly = (width: number) => ({ width, need: width, grow: 0, isFixed: true });

function inLine(columns: readonly TableColumn[]): readonly TableColumn[] {
  return columns.filter(({ isBelow = false }) => !isBelow);
}

/**
 * Returns the CSS value `grid-template-columns` for the header and all rows. Columns that do not grow
 * get what they need first, the others the rest by their needs: a text is cut only where all are.
 */
export function gridTemplateOf(columns: readonly TableColumn[]): string {
  return inLine(columns)
    .map(({ width, need = width, grow = 0 }) => {
      if (grow > 0) return `minmax(${width}px, ${need}fr)`;
      return need > width ? `minmax(${width}px, ${need}px)` : `${width}px`;
    })
    .join(' ');
}

/** Returns the width in CSS pixels below which the table scrolls sideways. */
export function minWidthOf(columns: readonly TableColumn[]): number {
  return inLine(columns).reduce((sum, column) => sum + column.width, 0);
}

/** Returns the left edge of each column in CSS pixels; 0 for a column in the second line. */
export function columnStarts(columns: readonly TableColumn[]): number[] {
  const starts: number[] = [];
  let start = 0;
  for (const { width, isBelow = false } of columns) {
    starts.push(isBelow ? 0 : start);
    if (!isBelow) start += width;
  }
  return starts;
}

/** Returns the column that a key moves to; null for keys that do not move. */
export function columnAfterKey(key: string, from: number, count: number): number | null {
  if (key === 'ArrowLeft') return Math.max(0, from - 1);
  if (key === 'ArrowRight') return Math.max(0, Math.min(count - 1, from + 1));
  return null;
}

type SortValue = string | number | bigint | null;

/** Maximum number of rows that a table can sort: sorting needs all cells of a column. */
export const MAX_SORTED = 50_000;

/** Sorted order: `rowAt` gives the row at a position, `placeOf` the position of a row. */
export type RowOrder = { readonly rowAt: Uint32Array; readonly placeOf: Uint32Array };

/** Returns the rows sorted by a column, rows without a value last; null for unknown columns. */
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

/** Compares two values of a column. Numbers come before texts. */
function compare(x: string | number | bigint, y: string | number | bigint): number {
  const isText = typeof x === 'string';
  if (isText !== (typeof y === 'string')) return isText ? 1 : -1;
  if (typeof x === 'string' && typeof y === 'string') return byText.compare(x, y);
  return x < y ? -1 : x > y ? 1 : 0;
}

const HEX = /^0x[\da-f]+$/i;
const DECIMAL = /^[-−]?\d[\d\s,\u202f\u2009]*(?:\.\d+)?$/;

/** Returns the number if the text is a number, else the text; null for an empty text. */
function sortValue(text: string): SortValue {
  if (text === '') return null;
  if (HEX.test(text)) return BigInt(text);
  if (!DECIMAL.test(text)) return text;
  return Number(text.replace(/[\s,\u202f\u2009]/g, '').replace('−', '-'));
}

/** Returns the text of a cell: strings, and the properties `text` and `children` of elements. */
export function cellText(node: ReactNode): string {
  const parts: string[] = [];
  const open: ReactNode[] = [node];
  while (open.length > 0) {
    const next = open.pop();
    if (typeof next === 'string' || typeof next === 'number') parts.push(`${next}`);
    else if (Array.isArray(next)) for (const child of next.toReversed()) open.push(child);
    else if (isValidElement<{ text?: ReactNode; children?: ReactNode }>(next)) {
      open.push(next.props.children, next.props.text);
    }
  }
  return parts.join('').trim();
}
