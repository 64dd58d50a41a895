import fc from 'fast-check';
import { expect, it } from 'vitest';
import { lowerBound, upperBound } from './arrays.ts';

const numbers = fc.array(fc.integer({ min: 0, max: 20 }), { maxLength: 40 });

it('finds the first number that is at least the value, and the first above it', () => {
  fc.assert(
    fc.property(numbers, fc.integer({ min: -1, max: 21 }), (given, value) => {
      const rising = given.toSorted((a, b) => a - b);
      expect(lowerBound(rising, value)).toBe(rising.filter((n) => n < value).length);
      expect(upperBound(rising, value)).toBe(rising.filter((n) => n <= value).length);
    }),
  );
});

it('searches only between `low` and `high`', () => {
  const parts = Float64Array.of(5, 9, 1, 4, 7);
  expect(lowerBound(parts, 4, 2, 5)).toBe(3);
  expect(lowerBound(parts, 0, 2, 5)).toBe(2);
  expect(lowerBound(parts, 8, 2, 5)).toBe(5);
});
