import fc from 'fast-check';
import { expect, it } from 'vitest';
import { linesAround } from './code-picture.ts';

const text = (i: number) => `${i}`;

it('shows all where they fit, and gaps where they do not', () => {
  expect(linesAround(3, 1, 5, text).map((line) => line.text)).toEqual(['0', '1', '2']);
  expect(linesAround(9, 4, 3, text).map((line) => line.text)).toEqual(['⋮', '3', '4', '5', '⋮']);
  expect(linesAround(9, -1, 2, text).map((line) => line.text)).toEqual(['0', '1', '⋮']);
});

it('always shows the marked line, no more than asked for, and each number once', () => {
  const sizes = fc.record({
    count: fc.integer({ min: 1, max: 200 }),
    most: fc.integer({ min: 1, max: 20 }),
  });
  fc.assert(
    fc.property(sizes, fc.nat(199), ({ count, most }, at) => {
      const marked = at % count;
      const lines = linesAround(count, marked, most, text);
      expect(lines.filter(({ isMarked }) => isMarked).map((line) => line.text)).toEqual([
        `${marked}`,
      ]);
      expect(lines.length).toBeLessThanOrEqual(most + 2);
      expect(new Set(lines.map(({ number }) => number)).size).toBe(lines.length);
    }),
  );
});
