import type { ReactNode } from 'react';

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
