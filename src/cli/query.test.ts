import { describe, expect, it } from 'vitest';
import { runCommand } from '#testing/run-command.ts';

const LARGEST = `SELECT name, size, members FROM types
WHERE kind = 'struct' AND name <> '' ORDER BY size DESC, name LIMIT 3`;

describe('btfscope query', () => {
  it('prints a table, numbers at their right', async () => {
    const { status, out } = await runCommand(['query', 'layout.bpf.o', LARGEST]);
    expect(status).toBe(0);
    expect(out.split('\n').slice(0, 3)).toEqual([
      expect.stringMatching(/^name +size {2}members$/),
      expect.stringMatching(/^-+ {2}-+ {2}-+$/),
      expect.stringMatching(/^\w+ +\d+ +\d+$/),
    ]);
  });

  it('asks several files, also split BTF on its base, as JSON and CSV', async () => {
    const sql = 'SELECT file, COUNT(*) AS n FROM types GROUP BY file ORDER BY n DESC, file';
    const files = ['kernel.btf', 'module.btf', 'exec_trace.bpf.o'];
    const { out } = await runCommand(['query', ...files, sql, '--base', 'kernel.btf', '--json']);
    const rows: { file: string; n: number }[] = JSON.parse(out);
    expect(rows.map(({ file }) => file).toSorted()).toEqual(files.toSorted());
    const csv = await runCommand(['query', ...files, sql, '--csv']);
    expect(csv.out).toBe(['file,n', ...rows.map(({ file, n }) => `${file},${n}`), ''].join('\r\n'));
    const types = ['query', 'module.btf', 'SELECT name, prototype FROM functions', '--json'];
    const alone = JSON.parse((await runCommand(types)).out);
    const based = JSON.parse((await runCommand([...types, '--base', 'kernel.btf'])).out);
    expect(based).not.toEqual(alone);
  });

  it('asks an atlas as it asks a kernel', async () => {
    const sql =
      "SELECT kernel, bit_offset FROM members WHERE type = 'task_struct' AND name = 'pid'";
    const built = await runCommand(['atlas', 'build', 'a.btfatlas', 'kernel.btf']);
    const atlas = await runCommand(['query', 'a.btfatlas', sql, '--json'], built.saved);
    const kernel = await runCommand(['query', 'kernel.btf', sql, '--json']);
    expect(JSON.parse(atlas.out)).toEqual(JSON.parse(kernel.out));
  });

  it('says in one line what is wrong with the query, and where', async () => {
    const { status, err } = await runCommand(['query', 'kernel.btf', 'SELECT name\nFROM typs']);
    expect(status).toBe(1);
    expect(err).toEqual([
      expect.stringMatching(
        /^btfscope: There is no table typs\. The tables are .* \(line 2, column 6 of the query\)$/,
      ),
    ]);
  });

  it('needs files and one query', async () => {
    expect((await runCommand(['query', 'kernel.btf'])).status).toBe(2);
    expect((await runCommand(['query', 'kernel.btf', LARGEST, '--csv', '--json'])).status).toBe(2);
    const missing = await runCommand(['query', 'nowhere.btf', LARGEST]);
    expect(missing).toMatchObject({ status: 1, out: '' });
  });
});
