import { expect, it } from 'vitest';
import { facetParts, facetSigns } from './facet-text.ts';

it('writes counts in words, and as signs', () => {
  // size, added, removed, renamed, moved, type, value, other
  const counts = [1, 12, 3, 1, 1200, 0, 0, 2];
  expect(facetParts(counts)).toEqual([
    'size',
    '12 added',
    '3 removed',
    '1 renamed',
    '1\u202f200 moved',
    '2 other',
  ]);
  expect(facetSigns(counts).map(({ sign, count }) => `${sign}${count}`)).toEqual([
    '+12',
    '−3',
    '~3',
    '→1200',
  ]);
  expect(facetSigns([1, 0, 0, 0, 0, 0, 0, 0])).toEqual([]);
});
