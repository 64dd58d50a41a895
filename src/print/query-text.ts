/** Writes a query's result as CSV for spreadsheets, JSON, or a table for a terminal. */
import type { ResultColumn } from '#analysis/query/run-query.ts';
import type { SqlValue } from '#analysis/query/table.ts';
import { visible } from '#bytes/text.ts';
import { csvLine } from './core-matrix.ts';

export type QueryRows = {
  readonly columns: readonly ResultColumn[];
  readonly count: number;
};

/** Returns the text of a cell; null becomes an empty text. */
export function cellText(value: SqlValue | undefined): string {
  return value === null || value === undefined ? '' : `${value}`;
}

/** Yields CSV (RFC 4180) with a header line. Null is an empty field. */
export function* queryCsv({ columns, count }: QueryRows): Generator<string, void, void> {
  yield csvLine(columns.map(({ name }) => name));
  for (let row = 0; row < count; row++) {
    yield csvLine(columns.map(({ values }) => cellText(values[row])));
  }
}

/** Yields a JSON array with one row per line. Numbers above 2^53 are strings. */
export function* queryJson({ columns, count }: QueryRows): Generator<string, void, void> {
  yield '[';
  for (let row = 0; row < count; row++) {
    const entries = columns.map(({ name, values }) => {
      const value = values[row] ?? null;
      return [name, typeof value === 'bigint' ? `${value}` : value] as const;
    });
    yield `${row === 0 ? '\n' : ',\n'}${JSON.stringify(Object.fromEntries(entries))}`;
  }
  yield count === 0 ? ']\n' : '\n]\n';
}

/** Limit of a cell's text in a terminal, in characters. */
const MAX_CELL_LENGTH = 60;

/** Yields a table for a terminal. Numbers are right-aligned, invisible characters escaped. */
export function* queryTable({ columns, count }: QueryRows): Generator<string, void, void> {
  const cell = (text: string) => {
    const shown = visible(text);
    return shown.length > MAX_CELL_LENGTH ? `${shown.slice(0, MAX_CELL_LENGTH - 1)}…` : shown;
  };
  const shape = columns.map(({ name, values }) => ({
    values,
    name: cell(name),
    isNumber: values.some((value) => typeof value === 'number') && isNumeric(values),
    width: values.reduce<number>(
      (width, value) => Math.max(width, cell(cellText(value)).length),
      cell(name).length,
    ),
  }));
  const line = (texts: readonly string[]) =>
    `${texts
      .map((text, i) => {
        const { isNumber = false, width = 0 } = shape[i] ?? {};
        return isNumber ? text.padStart(width) : text.padEnd(width);
      })
      .join('  ')
      .trimEnd()}\n`;
  yield line(shape.map(({ name }) => name));
  yield line(shape.map(({ width }) => '-'.repeat(width)));
  for (let row = 0; row < count; row++) {
    yield line(shape.map(({ values }) => cell(cellText(values[row]))));
  }
}

/** Returns true if all values, except for null, are numbers. */
export function isNumeric(values: readonly SqlValue[]): boolean {
  return values.every(
    (value) => value === null || typeof value === 'number' || typeof value === 'bigint',
  );
}
