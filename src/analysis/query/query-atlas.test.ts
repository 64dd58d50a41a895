import { describe, expect, it } from 'vitest';
import { bufferSource } from '#bytes/source.ts';
import { AtlasFile } from '#formats/atlas/atlas-file.ts';
import { files, OPTIONS, objects } from '#testing/query-files.ts';
import { sampleBytes } from '#testing/samples.ts';
import { atlasBytes, openAtlas, recordReads } from '#testing/small-atlas.ts';
import { goalAt } from './goals.ts';
import { runQuery } from './run-query.ts';
import type { QueryFile } from './table.ts';
import { TABLES } from './tables.ts';

describe('an atlas', () => {
  const atlas = async () => {
    const small = sampleBytes('kernel.btf');
    const { source, reads } = recordReads(
      bufferSource('k.btfatlas', await atlasBytes({ '6.1-amd64': small, '6.2-arm64': small })),
    );
    const opened = await AtlasFile.open(source);
    reads.length = 0;
    return { file: { name: 'k.btfatlas', atlas: opened }, reads };
  };

  it('has the rows of each of its kernels, beside those of other files', async () => {
    const { file } = await atlas();
    const asked = [file, ...(await files('kernel.btf'))];
    const sql = `SELECT file, kernel, name, bit_offset, type_name FROM members
      WHERE type = 'task_struct' AND name = 'pid' ORDER BY file, kernel`;
    const pid = { name: 'pid', bit_offset: expect.any(Number), type_name: 'pid_t' };
    const rows = objects(await runQuery(sql, asked, OPTIONS));
    expect(rows).toEqual(
      [
        { file: 'k.btfatlas', kernel: '6.1-amd64', ...pid },
        { file: 'k.btfatlas', kernel: '6.2-arm64', ...pid },
        { file: 'kernel.btf', kernel: 'kernel', ...pid },
      ].toSorted((a, b) => (a.file < b.file ? -1 : 1)),
    );
    expect(new Set(rows.map((row) => row.bit_offset)).size).toBe(1);
  });

  it('is read only where it has what the query names', async () => {
    const { file, reads } = await atlas();
    const sql =
      "SELECT kernel, value FROM enumerators WHERE enum = 'pid_type' AND kernel = '6.1-amd64'";
    await runQuery(sql, [file], OPTIONS);
    expect(reads.length).toBeLessThan(2);
    await runQuery('SELECT kernel FROM kernels', [file], OPTIONS);
    expect(reads.length).toBeLessThan(2);
  });

  it('has no cell that cannot be made', async () => {
    const { file } = await atlas();
    for (const { name, atlasRows } of TABLES) {
      const result = await runQuery(`SELECT * FROM ${name}`, [file], OPTIONS);
      if (result.kind === 'error') throw new Error(`${name}: ${result.message}`);
      expect(result.count > 0, name).toBe(atlasRows !== null && atlasRows !== 'modules');
    }
  });

  it('has the holes of its structs as its kernels have them', async () => {
    const { file } = await atlas();
    const sql = `SELECT kernel, name, holes, hole_bits, padding_bits FROM types
      WHERE kind = 'struct' AND name = 'task_struct' ORDER BY kernel`;
    const [small] = objects(await runQuery(sql, await files('kernel.btf'), OPTIONS));
    expect(small?.holes).toBeGreaterThan(0);
    expect(objects(await runQuery(sql, [file], OPTIONS))).toEqual([
      { ...small, kernel: '6.1-amd64' },
      { ...small, kernel: '6.2-arm64' },
    ]);
  });

  it('says which columns and tables of the query it lacks', async () => {
    const { file } = await atlas();
    const notesOf = async (sql: string, asked: readonly QueryFile[]) => {
      const result = await runQuery(sql, asked, OPTIONS);
      return result.kind === 'rows' ? result.notes : result.message;
    };
    const joined = `SELECT f.name FROM functions f JOIN relocations r ON r.function = f.name
      WHERE f.kfunc = TRUE`;
    expect(await notesOf(joined, [file])).toEqual([
      'In an atlas, functions.kfunc is null',
      'An atlas has no rows of the table relocations',
    ]);
    expect(await notesOf(joined, await files('kernel.btf'))).toEqual([]);
    expect(await notesOf('SELECT holes FROM types', [file])).toEqual([]);
    const nested = 'SELECT name FROM types WHERE name IN (SELECT name FROM functions WHERE id > 1)';
    expect(await notesOf(nested, [file])).toEqual(['In an atlas, functions.id is null']);
  });

  it.each([
    [
      "SELECT kernel, type, name FROM members WHERE type = 'task_struct' AND name = 'pid' AND KERNEL",
      'struct',
      'task_struct',
      'pid',
    ],
    [
      "SELECT kernel, enum, name FROM enumerators WHERE enum = 'pid_type' AND KERNEL",
      'enum',
      'pid_type',
      'PIDTYPE_PID',
    ],
    ['SELECT kernel, function, name FROM params WHERE position = 0 AND KERNEL', 'func', null, '1'],
    [
      "SELECT kernel, name, spelling FROM types WHERE name = 'pid_t' AND KERNEL",
      'typedef',
      'pid_t',
      null,
    ],
    [
      "SELECT kernel, name, COUNT(*) FROM types WHERE name = 'list_head' AND KERNEL GROUP BY name",
      'struct',
      'list_head',
      undefined,
    ],
  ] as const)('names in its cells what its History shows: %s', async (sql, kind, name, item) => {
    const { file } = await atlas();
    const asked = [...(await files('kinds.btf')), file];
    const whole = sql.replace('KERNEL', "kernel = '6.2-arm64'");
    const result = await runQuery(whole, asked, OPTIONS);
    if (result.kind === 'error') throw new Error(result.message);
    const [kernel, named, part] = result.columns.map(({ goals }) => goalAt(goals, 0));
    const own = { kind, name: name ?? result.columns[1]?.values[0], kernel: '6.2-arm64' };
    expect(kernel).toBeNull();
    expect(named).toEqual({ file: 1, entry: { ...own, item: null } });
    expect(part).toEqual(item === undefined ? null : { file: 1, entry: { ...own, item } });
  });

  it('gives the same rows whether a condition is known to the scan or not', async () => {
    const { file } = await atlas();
    const rows = async (where: string) =>
      objects(await runQuery(`SELECT * FROM members WHERE ${where}`, [file], OPTIONS));
    const known = await rows("type = 'task_struct' AND kernel = '6.1-amd64' AND module IS NULL");
    expect(known.length).toBeGreaterThan(0);
    expect(
      await rows("UPPER(type) = 'TASK_STRUCT' AND UPPER(kernel) = '6.1-AMD64' AND module IS NULL"),
    ).toEqual(known);
  });

  it('that is damaged where the query reads it is an error', async () => {
    const bytes = await atlasBytes({ '6.1-amd64': sampleBytes('kernel.btf') });
    const opened = await openAtlas(bytes);
    const [place] = opened.directory.entries;
    if (place === undefined) throw new Error('it has no block');
    bytes[place.offset + 3] = (bytes[place.offset + 3] ?? 0) ^ 0xff;
    const result = await runQuery('SELECT * FROM members', [{ name: 'k', atlas: opened }], OPTIONS);
    expect(result).toMatchObject({ kind: 'error', message: expect.stringMatching(/is damaged/) });
  });
});
