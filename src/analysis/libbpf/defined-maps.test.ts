import { expect, it } from 'vitest';
import { u64 } from '#testing/assemble.ts';
import { btfBlob } from '#testing/btf-blob.ts';
import { array, datasec, int, ptr, struct, variable } from '#testing/btf-types.ts';
import { type ElfSection, elfObject } from '#testing/elf-object.ts';
import { openModel } from '#testing/open-model.ts';
import { sampleModel } from '#testing/samples.ts';
import { definedMaps } from './defined-maps.ts';

const types = [
  int('int', 4, { encoding: 1 }),
  array(1, 1, 2),
  ptr(2),
  struct('', 8, [{ name: 'type', type: 3, bitOffset: 0 }]),
  variable('known', 4),
  datasec('.maps', 0, [[5, 0, 8]]),
];

async function namesOf(btf: readonly ElfSection[], machine = 247) {
  const file = elfObject({
    header: { machine },
    sections: [{ name: '.maps', flags: 3, data: [u64(0), u64(0), u64(0)] }, ...btf],
    symbols: [
      { name: 'alias', size: 8, type: 1, bind: 0, shndx: '.maps' },
      { name: 'known', size: 8, type: 1, shndx: '.maps' },
      { name: 'lost', value: 8, size: 8, type: 1, shndx: '.maps' },
      { name: '', value: 16, size: 8, type: 1, shndx: '.maps' },
      { name: 'func', value: 16, size: 8, type: 2, shndx: '.maps' },
    ],
  });
  const maps = definedMaps(await openModel('a.o', file.bytes), () => null);
  return maps.map(({ name, mapType, byteOffset, linkage, faults }) =>
    [name, mapType, byteOffset, linkage, faults.length].join(' '),
  );
}

it('has symbols of `.maps` without BTF after those that BTF defines', async () => {
  expect(await namesOf([{ name: '.BTF', data: btfBlob({ types }).bytes }])).toEqual([
    'known 2 0 global 0',
    'lost  8 global 1',
  ]);
});

it('has only names in a file without BTF, and none for another machine', async () => {
  expect(await namesOf([])).toEqual(['alias  0 static 1', 'known  0 global 1', 'lost  8 global 1']);
  expect(await namesOf([], 62)).toEqual([]);
});

it('needs the bytes of no section but `maps`', async () => {
  const asked: number[] = [];
  definedMaps(await sampleModel('xdp_counter.bpf.o'), (section) => {
    asked.push(section);
    return null;
  });
  expect(asked).toEqual([]);
});
