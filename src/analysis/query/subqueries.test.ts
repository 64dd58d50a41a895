import { describe, expect, it } from 'vitest';
import { files, OPTIONS, objects } from '#testing/query-files.ts';
import { runQuery } from './run-query.ts';

describe('EXISTS', () => {
  it('runs a nested EXISTS once where it uses no outer row', async () => {
    const nested = `${'EXISTS (SELECT id FROM members WHERE '.repeat(8)}id > 0${')'.repeat(8)}`;
    const asked = await files('kinds.btf');
    const rowsWhere = async (condition: string) =>
      objects(await runQuery(`SELECT id FROM types WHERE ${condition}`, asked, OPTIONS)).length;
    const all = await rowsWhere('id > 0');
    expect(await rowsWhere(nested)).toBe(all);
    expect(await rowsWhere(`NOT ${nested}`)).toBe(0);
    expect(await rowsWhere('EXISTS (SELECT id FROM members WHERE id < 0)')).toBe(0);
    expect(await rowsWhere('NOT EXISTS (SELECT id FROM members WHERE id < 0)')).toBe(all);
  });

  it.each([
    ['EXISTS (SELECT 1 FROM members m WHERE m.id = t.id)', '> 0'],
    ['NOT EXISTS (SELECT * FROM members m WHERE m.id = t.id)', '= 0'],
    ['EXISTS (SELECT DISTINCT name FROM members m WHERE m.id = t.id ORDER BY name)', '> 0'],
    ['EXISTS (SELECT id FROM members m WHERE m.id = t.id LIMIT 9 OFFSET 2)', '> 2'],
    ['EXISTS (SELECT id FROM members m WHERE m.id = t.id LIMIT 0)', '< 0'],
    ['EXISTS (SELECT id FROM members m WHERE m.id = t.id GROUP BY id HAVING COUNT(*) > 3)', '> 3'],
    ['EXISTS (SELECT COUNT(*) FROM members m WHERE m.id = t.id)', '>= 0'],
    [
      't.size > 8 AND NOT EXISTS (SELECT id FROM members m WHERE m.id = t.id)',
      '= 0 AND t.size > 8',
    ],
  ])('%s sees the row around it', async (condition, count) => {
    const asked = await files('kernel.btf');
    const where = async (text: string) =>
      objects(await runQuery(`SELECT t.id FROM types t WHERE ${text}`, asked, OPTIONS));
    expect(await where(condition)).toEqual(
      await where(`(SELECT COUNT(*) FROM members m WHERE m.id = t.id) ${count}`),
    );
  });

  it('compares no null by EXISTS', async () => {
    const asked = await files('kernel.btf');
    const where = async (text: string) =>
      objects(await runQuery(`SELECT t.id FROM types t WHERE ${text}`, asked, OPTIONS)).length;
    const all = await where('TRUE');
    const none = 'EXISTS (SELECT 1 FROM types a WHERE a.size = t.size AND a.size IS NULL)';
    expect(await where(none)).toBe(0);
    expect(await where(`NOT ${none}`)).toBe(all);
    expect(await where('EXISTS (SELECT 1 FROM types a WHERE a.size = t.size)')).toBe(
      await where('t.size IS NOT NULL'),
    );
  });
});
