/** SQL by DuckDB, in memory. */
import { DuckDBInstance } from '@duckdb/node-api';

/** Runs statements in order and returns the rows of each. Numbers of 64 bits become numbers. */
export async function openDuckDb(): Promise<(sql: string) => Promise<Record<string, unknown>[]>> {
  const database = await (await DuckDBInstance.create(':memory:')).connect();
  return async (sql) => {
    const found = (await database.runAndReadAll(sql)).getRowObjectsJson();
    return found.map((row) =>
      Object.fromEntries(Object.entries(row).map(([name, value]) => [name, plain(value)])),
    );
  };
}

/** DuckDB's JSON has numbers of 64 bits as texts. */
const plain = (value: unknown) =>
  typeof value === 'string' && /^-?\d+$/.test(value) ? Number(value) : value;
