import { expect, it } from 'vitest';
import { shownLines } from './LogLines.tsx';

const log = { failures: Uint32Array.of(3, 9), unknowns: Uint32Array.of(1, 4) };
const shown = (...args: [filter: 'all' | 'failures' | 'unknown', found: number[] | null]) => {
  const rows = shownLines(log, args[0], args[1] && Uint32Array.from(args[1]));
  return rows && [...rows];
};

it('shows the lines that pass the filter and the search', () => {
  expect(shown('all', null)).toBeNull();
  expect(shown('all', [2, 3])).toEqual([2, 3]);
  expect(shown('failures', null)).toEqual([3, 9]);
  expect(shown('failures', [2, 3])).toEqual([3]);
  expect(shown('unknown', [])).toEqual([]);
});
