import { expect, it } from 'vitest';
import { mapTypeName, shortMapType } from '#analysis/kernel/map-types.ts';
import type { ObjectModel } from '#model/object-model.ts';
import { u32, u64 } from '#testing/assemble.ts';
import { btfBlob } from '#testing/btf-blob.ts';
import { datasec, int, struct, variable } from '#testing/btf-types.ts';
import { elfObject } from '#testing/elf-object.ts';
import { openModel } from '#testing/open-model.ts';
import { sampleModel } from '#testing/samples.ts';
import { objectMaps } from './object-maps.ts';

const told = (model: ObjectModel) =>
  objectMaps(model)
    .filter(({ section }) => section !== '.maps')
    .map(
      ({ name, type, valueSize, selection }) =>
        `${name} ${shortMapType(mapTypeName(type))} ${valueSize} ${selection?.kind}`,
    );

it('are made of sections by their names, strings and `.bss.*` among them', async () => {
  expect(told(await sampleModel('data_relocs.bpf.o'))).toEqual([
    'data_rel.data ARRAY 40 section',
    '.rodata.str1.1 ARRAY 11 section',
    '.data.steps ARRAY 64 section',
    '.data.numbers ARRAY 64 section',
    '.data.middle ARRAY 16 section',
    '.rodata.text ARRAY 6 section',
    '.rodata.pointers ARRAY 8 section',
    '.bss.scratch ARRAY 128 section',
    '.data.cursor ARRAY 8 section',
    'data_rel.bss ARRAY 8 section',
    'sample_ops STRUCT_OPS 40 type',
  ]);
});

it('hold the kernel options that the object reads', async () => {
  expect(told(await sampleModel('externs.bpf.o'))).toEqual([
    'externs.bss ARRAY 64 section',
    'externs.kconfig ARRAY 34 type',
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
  const maps = objectMaps(await openModel('a.o', bytes));
  expect(maps).toMatchObject([
    { name: 'plain', type: 26, valueTypeId: 2, flags: 0n },
    { name: 'linked', flags: 0x2000n, selection: { kind: 'type', type: 4 } },
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
  expect(await opened(247)).toEqual(['a.data ARRAY 4 section']);
  expect(await opened(62)).toEqual([]);
});

it.each([
  ['a', '.bss', 'a.bss'],
  ['a_long_object_name.bpf.o', '.bss', 'a_long_o.bss'],
  ['a_long_object_name.bpf.o', '.rodata', 'a_long_o.rodata'],
  ['my-object.o', '.data', 'my_objec.data'],
  ['object.o', '.bss.a_long_name', '.bss.a_long_nam'],
])('have the names of the object and the section: %s %s', async (file, name, kernelName) => {
  const isBss = name.startsWith('.bss');
  const section = { name, flags: 3, ...(isBss ? { type: 8, data: [] } : { data: [u32(1)] }) };
  const { bytes } = elfObject({ sections: [isBss ? { ...section, data: [u32(1)] } : section] });
  expect(objectMaps(await openModel(file, bytes))).toMatchObject([
    { name: kernelName, kernelName },
  ]);
});

it('are called as their sections in libbpf, which the kernel gets cut', async () => {
  const sections = [{ name: '.rodata.a_long_name', flags: 2, data: [u32(1)] }];
  expect(objectMaps(await openModel('a.o', elfObject({ sections }).bytes))).toMatchObject([
    { name: '.rodata.a_long_name', kernelName: '.rodata.a_long_' },
  ]);
});
