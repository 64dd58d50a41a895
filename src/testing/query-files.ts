/** Files for tests of queries, and the SQL engine's results on complete tables. */
import { executeSql } from 'squirreling';
import type { QueryResult } from '#analysis/query/run-query.ts';
import type { ModelFile, SqlValue } from '#analysis/query/table.ts';
import { TABLES } from '#analysis/query/tables.ts';
import { sampleModel } from './samples.ts';

export const OPTIONS = {
  maxRows: 50_000,
  signal: new AbortController().signal,
  onProgress: () => undefined,
};

export async function files(...names: readonly string[]): Promise<ModelFile[]> {
  return Promise.all(names.map(async (name) => ({ name, model: await sampleModel(name) })));
}

export function objects(result: QueryResult): Record<string, SqlValue>[] {
  if (result.kind === 'error') throw new Error(result.message);
  const { columns, count } = result;
  return Array.from({ length: count }, (_, row) =>
    Object.fromEntries(columns.map(({ name, values }) => [name, values[row] ?? null])),
  );
}

/** Returns the SQL engine's result for a query on the complete tables, as plain objects. */
export async function resultByEngine(sql: string, modelFiles: readonly ModelFile[]) {
  const tables = Object.fromEntries(
    TABLES.map((table) => [
      table.name,
      modelFiles.flatMap((file) =>
        Array.from(table.rows(file), (row) =>
          Object.fromEntries(table.columns.map((column) => [column.name, column.of(row)])),
        ),
      ),
    ]).filter(([, rows]) => rows?.length !== 0),
  );
  const rows = [];
  for await (const { columns, cells } of executeSql({ tables, query: sql }).rows()) {
    const row: Record<string, unknown> = {};
    for (const column of columns) row[column] = (await cells[column]?.()) ?? null;
    rows.push(row);
  }
  return rows;
}
