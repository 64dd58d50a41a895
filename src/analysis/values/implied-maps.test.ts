import { expect, it } from 'vitest';
import type { ObjectModel } from '#model/object-model.ts';
import { u32, u64 } from '#testing/assemble.ts';
import { btfBlob } from '#testing/btf-blob.ts';
import { datasec, int, struct, variable } from '#testing/btf-types.ts';
import { elfObject } from '#testing/elf-object.ts';
import { openModel } from '#testing/open-model.ts';
import { sampleModel } from '#testing/samples.ts';
import { impliedMaps } from './implied-maps.ts';

const told = (model: ObjectModel) =>
  impliedMaps(model).map(
    ({ name, mapTypeName, value, selection }) =>
      `${name} ${mapTypeName?.slice(13)} ${value.byteSize} ${selection?.kind}`,
  );

it('are made of sections by their names, strings and `.bss.*` among them', async () => {
  expect(told(await sampleModel('data_relocs.bpf.o'))).toEqual([
    '.data ARRAY 40 section',
    '.rodata.str1.1 ARRAY 11 section',
    '.data.steps ARRAY 64 section',
    '.data.numbers ARRAY 64 section',
    '.data.middle ARRAY 16 section',
    '.rodata.text ARRAY 6 section',
    '.rodata.pointers ARRAY 8 section',
    '.bss.scratch ARRAY 128 section',
    '.data.cursor ARRAY 8 section',
    '.bss ARRAY 8 section',
    'sample_ops STRUCT_OPS 40 type',
  ]);
});

it('hold the kernel options that the object reads', async () => {
  expect(told(await sampleModel('externs.bpf.o'))).toEqual([
    '.bss ARRAY 64 section',
    '.kconfig ARRAY 34 type',
  ]);
});

it('are tables of functions, one for each variable', async () => {
  const types = [
    int('int', 4, { encoding: 1 }),
    struct('tcp_congestion_ops', 8, [{ name: 'init', type: 1, bitOffset: 0 }]),
    variable('plain', 2, 1),
    variable('linked', 2, 1),
    datasec('.struct_ops', 8, [[3, 0, 8]]),
    datasec('.struct_ops.link', 8, [[4, 0, 8]]),
  ];
  const { bytes } = elfObject({
    sections: [
      { name: '.struct_ops', flags: 3, data: [u64(0)] },
      { name: '.struct_ops.link', flags: 3, data: [u64(0)] },
      { name: '.BTF', data: btfBlob({ types }).bytes },
    ],
  });
  const maps = impliedMaps(await openModel('a.o', bytes));
  expect(maps).toMatchObject([
    { name: 'plain', mapTypeName: 'BPF_MAP_TYPE_STRUCT_OPS', value: { type: 2 }, mapFlags: null },
    { name: 'linked', mapFlags: 0x2000n, selection: { kind: 'type', type: 4 } },
  ]);
});

it('are none of empty sections, of sections of another type, and of other machines', async () => {
  const data = { name: '.data', flags: 3, data: [u32(1)] };
  const sections = [
    data,
    { name: '.rodata', flags: 2, data: [] },
    { name: '.database', flags: 3, data: [u32(1)] },
    { name: '.rodata.x', type: 7, flags: 2, data: [u32(1)] },
  ];
  const opened = (machine: number) =>
    openModel('a.o', elfObject({ header: { machine }, sections }).bytes).then(told);
  expect(await opened(247)).toEqual(['.data ARRAY 4 section']);
  expect(await opened(62)).toEqual([]);
});
