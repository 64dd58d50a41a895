/** Runs SQL in an in-memory DuckDB. */
import { DuckDBInstance } from '@duckdb/node-api';

/**
 * Returns a function that runs a statement and returns its rows, with 64-bit numbers as JavaScript
 * numbers.
 */
export async function openDuckDb(): Promise<(sql: string) => Promise<Record<string, unknown>[]>> {
  const database = await (await DuckDBInstance.create(':memory:')).connect();
  return async (sql) => {
    const found = (await database.runAndReadAll(sql)).getRowObjectsJson();
    return found.map((row) =>
      Object.fromEntries(Object.entries(row).map(([name, value]) => [name, plain(value)])),
    );
  };
}

/** DuckDB's JSON has 64-bit numbers as strings. */
const plain = (value: unknown) =>
  typeof value === 'string' && /^-?\d+$/.test(value) ? Number(value) : value;
