import { describe, expect, it } from 'vitest';
import { btfBlob } from '#testing/btf-blob.ts';
import { int, ptr, struct } from '#testing/btf-types.ts';
import { runCommand } from '#testing/run-command.ts';

const BLOB = btfBlob({
  types: [
    int('int', 4),
    struct('task_struct', 16, [{ name: 'files', type: 3, bitOffset: 64 }]),
    ptr(4),
    struct('files_struct', 16, [
      { name: 'count', type: 1, bitOffset: 0 },
      { name: 'table', type: 5, bitOffset: 64 },
    ]),
    struct('fdtable', 8, [{ name: 'max_fds', type: 1, bitOffset: 0 }]),
    struct('around', 32, [
      { name: 'a', type: 1, bitOffset: 0 },
      { name: 'files', type: 4, bitOffset: 64 },
    ]),
  ],
}).bytes;

const run = (...words: readonly string[]) =>
  runCommand(['paths', 'kernel.btf', ...words], new Map([['kernel.btf', BLOB]]));

describe('btfscope paths', () => {
  it('prints each path as C, as reads, and as accesses with their offsets', async () => {
    const { status, out } = await run('task_struct', 'max_fds');
    expect(status).toBe(0);
    expect(out).toBe(
      [
        'task->files->table.max_fds',
        '  pointers 1, steps 3',
        '  BPF_CORE_READ(task, files, table.max_fds);',
        '  [2] struct task_struct  0:0  +0x8  files',
        '  [4] struct files_struct  0:1:0  +0x8  table.max_fds',
        '',
      ].join('\n'),
    );
  });

  it('gives rows as JSON', async () => {
    const { out } = await run('task_struct', 'files_struct', '--json');
    expect(JSON.parse(out)).toEqual([
      {
        c: 'task->files',
        bpf: ['BPF_CORE_READ(task, files);'],
        pointers: 1,
        steps: 1,
        container_of: false,
        through: null,
        accesses: [
          {
            kind: 'access',
            type_id: 2,
            record: { start: 40, end: 64 },
            type: 'struct task_struct',
            access_str: '0:0',
            member: 'files',
            byte_offset: 8,
            bit_offset: 64,
            bitfield_size: 0,
            to: 'struct files_struct',
            union: false,
            tags: [],
            refused: null,
          },
        ],
      },
    ]);
  });

  it('offers container_of when it is asked to, and as many paths as are wanted', async () => {
    expect((await run('task_struct', 'around')).err).toEqual(['no path found']);
    const { out } = await run('task_struct', 'around', '--container-of');
    expect(out).toContain('container_of(task->files, struct around, files)\n');
    expect(out).toContain('0:1  -0x8  files');
    const one = await run('files_struct', 'around', '--container-of', '--limit', '1');
    expect(one.out.match(/pointers/g)).toHaveLength(1);
  });

  it.each([
    [['task_struct', 'nothing'], 1, /no type or member is named "nothing"/],
    [['nothing', 'task_struct'], 1, /no type is named "nothing"/],
    [['task_struct', 'files_struct.cont'], 1, /no member "cont"; did you mean: count/],
    [['int', 'task_struct'], 1, /"int" has no members/],
    [['task_struct', 'fdtable', '--limit', '0'], 2, /"0" is not a number from 1 to 1000/],
    [['task_struct'], 2, /TO is missing/],
  ])('refuses %j', async (words, status, message) => {
    const ran = await run(...words);
    expect(ran.status).toBe(status);
    expect(ran.err.join('\n')).toMatch(message);
    expect(ran.out).toBe('');
  });
});
