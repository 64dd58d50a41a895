import { describe, expect, it } from 'vitest';
import { files, OPTIONS, objects, resultByEngine } from '#testing/query-files.ts';
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

  it.each([
    `SELECT name FROM types WHERE CONCAT(name, '${'a'.repeat(200)}') LIKE '${'%a'.repeat(20)}b'`,
    `WITH t AS (SELECT name FROM types) SELECT name FROM t WHERE LOWER(CONCAT(name, '${'a'.repeat(200)}')) LIKE '${'%a'.repeat(20)}b'`,
    `SELECT name FROM types GROUP BY name HAVING CONCAT(MAX(name), '${'a'.repeat(200)}') LIKE '${'%a'.repeat(20)}b'`,
  ])('searches a long text by LIKE once: %s', async (sql) => {
    const result = await runQuery(sql, await files('kernel.btf'), OPTIONS);
    expect(result).toMatchObject({ kind: 'rows', count: 0 });
  });

  it('decides LIKE of an expression as LIKE of a column', async () => {
    const asked = await files('kernel.btf');
    for (const pattern of ['task%', '%STRUCT', '%_s%t_', 't__k_struct', '%', '', 'a.c%']) {
      const [expected, ...others] = await Promise.all(
        [
          `SELECT id FROM types WHERE name LIKE '${pattern}' ORDER BY id`,
          `SELECT id FROM types WHERE LOWER(name) LIKE '${pattern}' ORDER BY id`,
          `SELECT id FROM types WHERE CASE WHEN name LIKE '${pattern}' THEN 1 ELSE 0 END = 1 ORDER BY id`,
          `WITH t AS (SELECT id, name FROM types) SELECT id FROM t WHERE name LIKE '${pattern}' ORDER BY id`,
        ].map(async (sql) => objects(await runQuery(sql, asked, OPTIONS))),
      );
      for (const other of others) expect(other, pattern).toEqual(expected);
    }
  });

  it.each([
    "SELECT name LIKE 'task%' FROM types",
    "SELECT LOWER(name) LIKE 'task%', COUNT(*) FROM types GROUP BY LOWER(name) LIKE 'task%' ORDER BY LOWER(name) LIKE 'task%'",
    "SELECT * FROM (SELECT name LIKE 'task%' FROM types) AS t",
    "SELECT replace(id, 1, NULL) AS x, REPLACE(NULL, 'a', 'b') AS y FROM types",
    "SELECT REPLACE(name, 's', 'z'), COUNT(*) FROM types GROUP BY REPLACE(name, 's', 'z') HAVING REPLACE(MAX(name), 't', '') <> ''",
    "SELECT REPLACE(name, 'a', '$') FROM types",
  ])('names columns and gives rows as the engine does: %s', async (sql) => {
    const asked = await files('kernel.btf');
    const result = objects(await runQuery(sql, asked, OPTIONS));
    expect(result).toEqual(await resultByEngine(sql, asked));
  });

  it('limits the text that REPLACE makes', async () => {
    const nested = (depth: number) =>
      `SELECT id, ${'REPLACE('.repeat(depth)}'aaaaaaaaaa'${",'a','aaaaaaaaaa')".repeat(depth)} AS text FROM types LIMIT 1`;
    expect(await errorOf(nested(4))).toBeNull();
    expect(await errorOf(nested(9))).toMatch(/^REPLACE can make a text of more than/);
  });

  it('takes no part of a replacement for a pattern', async () => {
    const sql = "SELECT REPLACE('abc', 'b', '$&$`') AS text FROM types LIMIT 1";
    expect(objects(await runQuery(sql, await files('kernel.btf'), OPTIONS))).toEqual([
      { text: 'a$&$`c' },
    ]);
  });
});
