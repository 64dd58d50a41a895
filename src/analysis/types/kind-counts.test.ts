import { expect, it } from 'vitest';
import { btfBlob } from '#testing/btf-blob.ts';
import { int, ptr, record, struct } from '#testing/btf-types.ts';
import { tableOf } from '#testing/type-table.ts';
import { kindHistogram } from './kind-counts.ts';

it('counts own types, the most frequent kind first', () => {
  const types = [int('int', 4), ptr(1), record(127), ptr(1), struct('s', 0, []), int('x', 4)];
  const layout = Array.from({ length: 128 }, () => ({ infoSize: 0, elemSize: 0 }));
  expect(kindHistogram(tableOf(btfBlob({ types, layout }).bytes))).toEqual([
    { kind: 1, count: 2 },
    { kind: 2, count: 2 },
    { kind: 4, count: 1 },
    { kind: 127, count: 1 },
  ]);
});

it('is empty without types', () => {
  expect(kindHistogram(tableOf(btfBlob().bytes))).toEqual([]);
});
