import { expect, it } from 'vitest';
import { btfBlob } from '#testing/btf-blob.ts';
import { datasec, int, variable } from '#testing/btf-types.ts';
import { type ElfSymbol, elfObject } from '#testing/elf-object.ts';
import { openObject } from '#testing/open-model.ts';
import { lintModel } from './lint.ts';

const OBJECT = 1;

/** Returns the findings of an object with two variables in `.data`, which has `size` in BTF. */
async function issues(size: number, offsets: readonly [number, number], symbols: [number, number]) {
  const types = [
    int('int', 4),
    variable('first', 1),
    variable('second', 1),
    datasec('.data', size, [
      [2, offsets[0], 4],
      [3, offsets[1], 4],
    ]),
  ];
  const symbol = (name: string, value: number): ElfSymbol => ({
    name,
    value,
    size: 4,
    type: OBJECT,
    shndx: '.data',
  });
  const { bytes } = elfObject({
    sections: [
      { name: '.data', flags: 3, data: new Uint8Array(8) },
      { name: '.BTF', data: btfBlob({ types }).bytes },
    ],
    symbols: [symbol('first', symbols[0]), symbol('second', symbols[1])],
  });
  const { model, source } = await openObject('a.bpf.o', bytes);
  const all = await lintModel(model, source);
  return all.map(({ severity, code, message, expected, found }) => [
    severity,
    code,
    message,
    expected,
    found,
  ]);
}

it('compares the offsets of a DATASEC with those of the symbols', async () => {
  expect(await issues(8, [0, 4], [0, 4])).toEqual([]);
  expect(await issues(8, [0, 4], [4, 0])).toEqual([
    [
      'warning',
      'btf.datasec-offset',
      'Variable first [2] is at 4 of .data by its symbol, and at 0 by the DATASEC',
      '4',
      '0',
    ],
    [
      'warning',
      'btf.datasec-offset',
      'Variable second [3] is at 0 of .data by its symbol, and at 4 by the DATASEC',
      '0',
      '4',
    ],
  ]);
});

it('leaves a DATASEC without a size to libbpf', async () => {
  expect(await issues(0, [0, 0], [4, 0])).toEqual([]);
});

it('names both variables that overlap', async () => {
  expect(await issues(8, [0, 2], [0, 2])).toEqual([
    [
      'warning',
      'btf.datasec-overlap',
      'type [4]: the variables [2] first and [3] second overlap',
      'each variable after the end of the one before it',
      'bytes 0 to 4 and 2 to 6 of .data',
    ],
  ]);
});
