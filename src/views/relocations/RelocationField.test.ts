import { expect, it } from 'vitest';
import { fieldParts } from './RelocationField.tsx';

it('splits an adrp into the bits of the value and the others', () => {
  const bits = [
    { valueLow: 12, placeLow: 29, length: 2 },
    { valueLow: 14, placeLow: 5, length: 19 },
  ];
  expect(
    fieldParts(bits, 32, 0xd0000001n).map(({ field, length, value }) => [field, length, value]),
  ).toEqual([
    ['unchanged', 1, 1n],
    ['value', 2, 2n],
    ['unchanged', 5, 16n],
    ['value', 19, 0n],
    ['unchanged', 5, 1n],
  ]);
});

it('shows a whole word as one part', () => {
  const bits = [{ valueLow: 0, placeLow: 0, length: 32 }];
  const parts = fieldParts(bits, 32, 7n);
  expect(parts.map(({ field, length, value }) => [field, length, value])).toEqual([
    ['value', 32, 7n],
  ]);
});
