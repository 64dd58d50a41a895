/** The order of a table's rows by what a column shows. */

import { isValidElement, type ReactNode } from 'react';
import type { TableColumn } from './table-columns.ts';
import type { SortOrder } from './table-settings.ts';

export type SortValue = string | number | bigint | null;

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
