import { expect, it } from 'vitest';
import { typeId } from '#model/ids.ts';
import { sampleModel } from '#testing/samples.ts';
import { grouped } from '#ui/grouped.ts';
import { facetParts, facetSigns, holeBytes, holesText } from './facet-text.ts';

it('writes counts in words, and as signs', () => {
  // Counts in the order of `FACETS`: size, added, removed, renamed, moved, type, value, other.
  const counts = [1, 12, 3, 1, 1200, 0, 0, 2];
  expect(facetParts(counts)).toEqual([
    'size',
    '12 added',
    '3 removed',
    '1 replaced',
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

it('writes the holes of both sides', () => {
  expect(holesText(77, 61)).toBe('77 → 61');
  expect(holesText(4, 4)).toBe('4');
  expect(holesText(0, 0)).toBe('');
  expect(holesText(null, 0)).toBe('');
  expect(holesText(null, 3)).toBe('3');
  expect(holesText(0, 1.125)).toBe('0 → 1 + 1 bit');
  expect(holesText(0.375, 1200.25)).toBe(`3 bits → ${grouped(1200)} + 2 bits`);
  expect(holesText(2, 1.125, (bytes) => `${8 * bytes} bits`)).toBe('16 bits → 9 bits');
});

it('counts holes of structs only', async () => {
  const { types } = await sampleModel('kernel.btf');
  if (types === null) throw new Error('no types');
  const all = Array.from({ length: types.count }, (_, i) => holeBytes(types, typeId(i + 1)));
  expect(all.filter((bytes) => bytes !== null && bytes > 0).length).toBeGreaterThan(0);
  expect(all).toContain(null);
  expect(holeBytes(types, null)).toBeNull();
});
