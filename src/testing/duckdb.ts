/** Runs SQL in DuckDB, in memory. */
import { DuckDBInstance } from '@duckdb/node-api';

/** Returns a function that runs a statement and returns its rows; 64-bit numbers become numbers. */
export async function openDuckDb(): Promise<(sql: string) => Promise<Record<string, unknown>[]>> {
  const database = await (await DuckDBInstance.create(':memory:')).connect();
  return async (sql) => {
    const found = (await database.runAndReadAll(sql)).getRowObjectsJson();
    return found.map((row) =>
      Object.fromEntries(Object.entries(row).map(([name, value]) => [name, plain(value)])),
    );
  };
}

/** DuckDB writes 64-bit numbers as strings in JSON. */
const plain = (value: unknown) =>
  typeof value === 'string' && /^-?\d+$/.test(value) ? Number(value) : value;
