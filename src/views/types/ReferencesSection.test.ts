import { describe, expect, it } from 'vitest';
import { typeId } from '#model/ids.ts';
import { btfBlob } from '#testing/btf-blob.ts';
import { array, funcProto, int, ptr, struct } from '#testing/btf-types.ts';
import { openModel } from '#testing/open-model.ts';
import { groupByKind, rolesText, targetsOf } from './ReferencesSection.tsx';

async function example() {
  const bytes = btfBlob({
    types: [
      int('int', 4),
      ptr(4),
      array(1, 1, 4),
      struct('s', 24, [
        { name: 'a', type: 1, bitOffset: 0 },
        { name: 'next', type: 2, bitOffset: 64 },
        { name: 'b', type: 1, bitOffset: 128 },
        { name: '', type: 3, bitOffset: 160 },
      ]),
      funcProto(1, [
        ['s', 2],
        ['', 0],
      ]),
      ptr(0),
    ],
  }).bytes;
  const { types } = await openModel('references.btf', bytes);
  if (types === null) throw new Error('no types');
  return types;
}

describe('targetsOf', () => {
  it('names each type once, with all that refer to it', async () => {
    expect(targetsOf(await example(), typeId(4), 100)).toEqual([
      { type: 1, as: ['a', 'b'] },
      { type: 2, as: ['next'] },
      { type: 3, as: ['member 3'] },
    ]);
  });

  it('leaves void out', async () => {
    const types = await example();
    expect(targetsOf(types, typeId(6), 100)).toEqual([]);
    expect(targetsOf(types, typeId(5), 100)).toEqual([
      { type: 1, as: ['return'] },
      { type: 2, as: ['s'] },
    ]);
  });

  it('stops at the given limit', async () => {
    expect(targetsOf(await example(), typeId(4), 1)).toEqual([{ type: 1, as: ['a'] }]);
  });
});

it.each([
  [[''], ''],
  [['a', 'b'], 'a, b'],
  [['a', 'b', 'c', 'd', 'e'], 'a, b, c and 2 more'],
])('%j is written %j', (as, text) => {
  expect(rolesText(as)).toBe(text);
});

it('groups by kind, the largest group first', async () => {
  expect(groupByKind(await example(), new Uint32Array([1, 2, 4, 6]))).toEqual([
    { kind: 2, ids: [2, 6] },
    { kind: 1, ids: [1] },
    { kind: 4, ids: [4] },
  ]);
});
