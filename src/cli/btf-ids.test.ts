import { expect, it } from 'vitest';
import { u32 } from '#testing/assemble.ts';
import { btfBlob } from '#testing/btf-blob.ts';
import { func, funcProto, int, struct } from '#testing/btf-types.ts';
import { type ElfSymbol, elfObject } from '#testing/elf-object.ts';
import { runCommand } from '#testing/run-command.ts';

const TYPES = btfBlob({
  types: [int('int', 4), funcProto(1, []), func('a_kfunc', 2), struct('task_struct', 4, [])],
}).bytes;

const label = (name: string, value: number, size = 0): ElfSymbol => ({
  name,
  value,
  size,
  bind: 0,
  shndx: '.BTF_ids',
});

function fileWith(data: Uint8Array | ReturnType<typeof u32>[], symbols: readonly ElfSymbol[]) {
  const { bytes } = elfObject({
    sections: [
      { name: '.BTF', data: TYPES },
      { name: '.BTF_ids', flags: 2, data },
    ],
    symbols,
  });
  return new Map([['vmlinux', bytes]]);
}

it('lists the ids of each list and set, with the flags of kfuncs', async () => {
  const words = [4, 0, 1, 1, 3, 16].map((value) => u32(value));
  const files = fileWith(words, [
    label('task_ids', 0),
    label('__BTF_ID__struct__task_struct__12', 0, 4),
    label('kfuncs', 8),
    label('__BTF_ID__set8__kfuncs', 8, 16),
    label('__BTF_ID__func__a_kfunc__13', 16, 4),
  ]);
  const { out } = await runCommand(['btf-ids', 'vmlinux'], files);
  expect(out.split('\n').map((line) => line.trim())).toEqual([
    'list task_ids:',
    '0x000000  [4] struct task_struct',
    '0x000004  [0] BTF_ID_UNUSED',
    'set8 kfuncs, flags 0x1:',
    '0x000010  [3] func a_kfunc  flags 0x10',
    '',
  ]);
});

it('says that a file has none', async () => {
  const { status, err } = await runCommand(['btf-ids', 'vmlinux'], fileWith(new Uint8Array(0), []));
  expect({ status, err: err.join('') }).toEqual({
    status: 1,
    err: 'btfscope: vmlinux has no ids in .BTF_ids',
  });
});
