import { describe, expect, it } from 'vitest';
import { files, OPTIONS } from '#testing/query-files.ts';
import { runQuery } from './run-query.ts';

/** Returns a query in which each name of WITH reads the one before twice. */
function doubling(names: number, last: string): string {
  const others = Array.from(
    { length: names },
    (_, i) => `, c${i + 1} AS (SELECT * FROM c${i} UNION ALL SELECT * FROM c${i})`,
  );
  return `WITH c0 AS (SELECT id FROM types)${others.join('')} ${last.replace('LAST', `c${names}`)}`;
}

async function errorOf(sql: string, maxKept?: number): Promise<string | null> {
  const options = maxKept === undefined ? OPTIONS : { ...OPTIONS, maxKept };
  const result = await runQuery(sql, await files('kernel.btf'), options);
  return result.kind === 'error' ? result.message : null;
}

describe('a query', { timeout: 20_000 }, () => {
  it('counts the tables that names of WITH read', async () => {
    expect(await errorOf(doubling(9, 'SELECT COUNT(*) AS n FROM LAST'))).toBeNull();
    for (const last of [
      'SELECT id FROM LAST LIMIT 1',
      'SELECT 1 AS n FROM types WHERE EXISTS (SELECT id FROM LAST)',
    ]) {
      const message = await errorOf(doubling(25, last));
      expect(message).toMatch(/^The query reads more than 1000 tables/);
    }
  });

  it.each([
    'SELECT a.id FROM types a JOIN types b ON TRUE ORDER BY b.id',
    'SELECT a.id, COUNT(*) AS n FROM types a JOIN types b ON a.file = b.file GROUP BY a.id',
    'SELECT COUNT(*) AS n FROM types a JOIN types b ON TRUE',
    'SELECT COUNT(*) AS n FROM (SELECT DISTINCT a.id, b.id AS other FROM types a JOIN types b ON TRUE) AS t',
    'SELECT 1 AS n FROM types EXCEPT SELECT a.id + b.id AS n FROM types a JOIN types b ON TRUE',
    doubling(6, 'SELECT id FROM LAST ORDER BY id'),
  ])('counts the rows of joins and unions that it keeps: %s', async (sql) => {
    expect(await errorOf(sql, 4000)).toBe(
      'The query keeps too many rows of its joins and unions in memory: add a condition, or name fewer columns',
    );
    expect(await errorOf(sql)).toBeNull();
  });

  it.each([
    'SELECT a.id FROM types a JOIN types b ON b.id = a.id ORDER BY b.id',
    'SELECT DISTINCT a.kind FROM types a JOIN types b ON TRUE',
    'SELECT a.id FROM types a JOIN types b ON TRUE',
    doubling(6, 'SELECT id FROM LAST'),
  ])('does not count rows that it does not keep: %s', async (sql) => {
    expect(await errorOf(sql, 4000)).toBeNull();
  });
});
