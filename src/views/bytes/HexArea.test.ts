import { expect, it } from 'vitest';
import { columnsFor } from './HexArea.tsx';

it.each([
  [390, 0xffff, 8],
  [610, 0xffff, 8],
  [630, 0xffff, 16],
  [1100, 0xffff, 16],
  [1260, 0xffff, 32],
  [100, 0xffff, 8],
])('%d pixels hold, with offsets up to %d, %d columns', (width, last, columns) => {
  expect(columnsFor(width, last)).toBe(columns);
});

it('counts the offsets: longer ones need more room', () => {
  const width = 630;
  expect(columnsFor(width, 0xffff)).toBe(16);
  expect(columnsFor(width, 0xff_ffff_ffff)).toBe(8);
});
