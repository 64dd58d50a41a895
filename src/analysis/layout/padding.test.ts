import { expect, it } from 'vitest';
import { buildNameIndex, searchTypes, type TypeQuery } from '#analysis/find/type-search.ts';
import { tableOf } from '#analysis/types/type-table-for-tests.ts';
import { typeId } from '#model/ids.ts';
import { btfBlob } from '#testing/btf-blob.ts';
import { int, struct, union } from '#testing/btf-types.ts';
import { paddingBytes, paddingBytesOf } from './padding.ts';

const at = (name: string, type: number, bitOffset: number, bitfieldSize = 0) => ({
  name,
  type,
  bitOffset,
  bitfieldSize,
});

const t = tableOf(
  btfBlob({
    types: [
      int('int', 4),
      struct('full', 4, [at('a', 1, 0)]),
      struct('hole', 12, [at('a', 1, 0), at('b', 1, 64)]),
      struct('padded', 16, [at('a', 1, 0)]),
      struct('bits', 4, [at('a', 1, 0, 4), at('b', 1, 8, 24)]),
      struct('unknown', 64, []),
      union('u', 8, [at('a', 1, 0)]),
    ],
  }).bytes,
);

it('counts holes, padding and bits of structs, and of no other kind', () => {
  expect([1, 2, 3, 4, 5, 6, 7].map((id) => paddingBytesOf(t, typeId(id)))).toEqual([
    NaN,
    0,
    4,
    12,
    0.5,
    NaN,
    NaN,
  ]);
  expect([...paddingBytes(t)]).toEqual([NaN, NaN, 4, 12, 0.5, NaN, NaN]);
});

it('orders the list by it, without what leaves nothing free', () => {
  const query: TypeQuery = { text: '', kinds: 0, order: 'holes', descending: true };
  const index = buildNameIndex(t);
  expect([...searchTypes(t, index, query)]).toEqual([4, 3, 5]);
  expect([...searchTypes(t, index, { ...query, descending: false })]).toEqual([5, 3, 4]);
  expect([...searchTypes(t, index, { ...query, text: 'o' })]).toEqual([3]);
});
