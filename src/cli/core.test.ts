/** Tests of `btfscope core` and `btfscope min` on the examples. */
import { describe, expect, it } from 'vitest';
import { btfBlob } from '#testing/btf-blob.ts';
import { func, struct } from '#testing/btf-types.ts';
import { JsonRow } from '#testing/json-row.ts';
import { runCommand } from '#testing/run-command.ts';
import { sampleBytes } from '#testing/samples.ts';

const ON_KERNEL = ['exec_trace.bpf.o', '--target', 'kernel.btf'];

function rowsOf(out: string): JsonRow[] {
  const list: unknown = JSON.parse(out);
  return Array.isArray(list) ? list.map((row) => new JsonRow(row)) : [];
}

describe('btfscope core', () => {
  it('says that libbpf reads no target whose types it refuses, and has the results all the same', async () => {
    const types = [
      struct('task_struct', 8, [{ name: 'pid', type: 2, bitOffset: 0 }]),
      func('f', 1),
    ];
    const files = new Map([['bad.btf', btfBlob({ types }).bytes]]);
    const words = ['core', 'exec_trace.bpf.o', '--target', 'bad.btf'];
    const { status, out, err } = await runCommand(words, files);
    expect([status, out.includes('bad.btf')]).toEqual([0, true]);
    expect(err).toEqual([
      'btfscope: bad.btf: libbpf 1.8 refuses these types (EINVAL: btf: type [2]: referenced type [1] is not FUNC_PROTO) and loads no object on them. The results are those of its relocation code alone.',
    ]);
    expect((await runCommand(['core', ...ON_KERNEL])).err).toEqual([]);
  });

  it('prints a table of records and targets by default', async () => {
    const { status, out } = await runCommand(['core', ...ON_KERNEL, '--target', 'kinds.btf']);
    expect(status).toBe(0);
    const lines = out.trimEnd().split('\n');
    expect(lines[0]?.trim()).toMatch(/^kernel\.btf +kinds\.btf$/);
    expect(lines[1]).toMatch(/^tp_btf\/sched_process_exec .*: loads on 2 of 2, poisoned on 1$/);
    expect(lines[2]).toMatch(/^ {2}relo #0 byte_off struct task_struct\.\S+ +\S+ +poisoned$/);
    expect(
      (await runCommand(['core', ...ON_KERNEL, '--target', 'kinds.btf', '--matrix'])).out,
    ).toBe(out);
  });

  it('takes the types of the object itself for want of another target', async () => {
    const { out } = await runCommand(['core', 'doc_core.bpf.o', '--json']);
    const rows = rowsOf(out);
    expect(rows.length).toBeGreaterThan(5);
    for (const row of rows) {
      expect([row.text('target'), row.text('status')]).toEqual(['self', 'ok']);
      expect(row.text('insn_after')).toBe(row.text('insn_before'));
      expect(row.texts('trace').at(-1)).toBe('Result: ok.');
    }
    // JSON has one row per line, so that grep finds rows.
    expect(out.split('\n').filter((line) => line.startsWith('{'))).toHaveLength(rows.length);
  });

  it('has a row for each record and target', async () => {
    const one = rowsOf((await runCommand(['core', ...ON_KERNEL, '--json'])).out);
    const two = rowsOf(
      (await runCommand(['core', ...ON_KERNEL, '--target', 'kinds.btf', '--json'])).out,
    );
    expect(two).toHaveLength(2 * one.length);
    expect(new Set(two.map((row) => row.text('target')))).toEqual(
      new Set(['kernel.btf', 'kinds.btf']),
    );
  });

  it('names a target that cannot be read, and goes on with the others', async () => {
    const files = new Map([['a/odd.btf', new TextEncoder().encode('no kernel, but some text')]]);
    for (const form of ['--matrix', '--json', '--log']) {
      const both = ['core', ON_KERNEL[0] ?? '', '--target', 'a/odd.btf', ...ON_KERNEL.slice(1)];
      const { status, out, err } = await runCommand([...both, form], files);
      const expected = (await runCommand(['core', ...ON_KERNEL, form])).out;
      expect(out).toBe(form === '--log' ? `kernel.btf:\n${expected}` : expected);
      expect(status).toBe(1);
      expect(err).toEqual([expect.stringMatching(/^btfscope: a\/odd\.btf: /)]);
    }
    const alone = ['core', ON_KERNEL[0] ?? '', '--target', 'a/odd.btf'];
    const { status, out } = await runCommand(alone, files);
    expect([status, out]).toEqual([1, '']);
  });

  it('logs as libbpf does', async () => {
    const { out } = await runCommand(['core', ...ON_KERNEL, '--log']);
    expect(out.split('\n')[0]).toMatch(
      /^libbpf: CO-RE relocating \[\d+\] struct task_struct: found target candidate \[\d+\] struct task_struct in \[vmlinux\]$/,
    );
  });

  it('takes modules of the one target', async () => {
    const words = ['core', ...ON_KERNEL, '--module', 'module.btf', '--json'];
    expect((await runCommand(words)).status).toBe(0);
    const wrong = await runCommand(['core', ...ON_KERNEL, '--module', 'kinds.btf']);
    expect(wrong.err).toEqual(['btfscope: kinds.btf is not split BTF; modules have split BTF']);
  });

  it.each([
    [['core', 'exec_trace.bpf.o', '--module', 'module.btf'], 2, 'exactly one --target'],
    [['core', ...ON_KERNEL, '--json', '--log'], 2, '--json and --log cannot be combined'],
    [['core', 'kernel.btf'], 1, 'kernel.btf has no CO-RE relocations'],
    [['core', 'exec_trace.bpf.o', '--target', 'module.btf'], 1, 'module.btf is split BTF'],
    [['min', 'exec_trace.bpf.o', '-o', 'out'], 2, '--target BTF is missing'],
    [['min', ...ON_KERNEL], 2, '-o OUT is missing'],
    [['min', '--target', 'kernel.btf', '-o', 'out'], 2, 'FILE… is missing'],
  ])('%j ends with %i', async (words, wanted, message) => {
    const { status, err, out, saved } = await runCommand(words);
    expect([status, out, err.length, saved.size]).toEqual([wanted, '', 1, 0]);
    expect(err[0]).toContain(message);
  });
});

describe('btfscope min', () => {
  it('writes what objects need of a kernel, and that is enough for them', async () => {
    const objects = ['exec_trace.bpf.o', 'bitfields.bpf.o'];
    const { status, saved } = await runCommand([
      'min',
      ...objects,
      '--target',
      'kernel.btf',
      '-o',
      'min.btf',
    ]);
    expect(status).toBe(0);
    const small = saved.get('min.btf') ?? new Uint8Array(0);
    expect(small.length).toBeGreaterThan(24);
    expect(small.length).toBeLessThan(sampleBytes('kernel.btf').length);
    const files = new Map([['min.btf', small]]);
    for (const object of objects) {
      const [full, less] = await Promise.all(
        ['kernel.btf', 'min.btf'].map((target) =>
          runCommand(['core', object, '--target', target, '--json'], files),
        ),
      );
      // Returns the values to compare, without target type ids: the minimal file has other ids.
      const values = (out: string) =>
        rowsOf(out).map((row) => [
          row.text('status'),
          row.text('kind') === 'target_type_id' ? 'an id' : row.text('new_val'),
        ]);
      expect(values(less?.out ?? '[]')).toEqual(values(full?.out ?? '[]'));
    }
  });
});
