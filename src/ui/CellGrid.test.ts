import { describe, expect, it } from 'vitest';
import { cellAfterKey, columnWindow } from './CellGrid.tsx';

describe('columnWindow', () => {
  it.each([
    ['at the start', 30, 0, 600, 0, 8],
    ['in the middle', 30, 1200, 600, 8, 20],
    ['a column further, as before', 30, 1320, 600, 8, 20],
    ['at the end', 30, 3000, 600, 20, 30],
    ['with room for all', 4, 0, 600, 0, 4],
    ['without room', 30, 0, -40, 0, 4],
    ['without columns', 0, 0, 600, 0, 0],
  ])('%s', (_, count, scrollLeft, room, first, end) => {
    expect(columnWindow({ count, width: 120, scrollLeft, room })).toEqual({ first, end });
  });
});

describe('cellAfterKey', () => {
  const size = { lines: 20, columns: 4, pageLines: 5 };

  it.each([
    ['ArrowDown', { line: 1, column: 2 }, { line: 2, column: 2 }],
    ['ArrowRight', { line: 1, column: 3 }, { line: 1, column: 3 }],
    ['ArrowLeft', { line: 1, column: 2 }, { line: 1, column: 1 }],
    ['PageDown', { line: 18, column: 0 }, { line: 19, column: 0 }],
    ['Home', { line: 18, column: 3 }, { line: 0, column: 3 }],
    ['ArrowDown', null, { line: 0, column: 0 }],
    ['a', { line: 1, column: 1 }, null],
  ])('%s from %j', (key, from, to) => {
    expect(cellAfterKey(key, from, size)).toEqual(to);
  });

  it('goes nowhere in a table without rows', () => {
    for (const key of ['ArrowDown', 'ArrowRight']) {
      expect(cellAfterKey(key, null, { ...size, lines: 0 })).toBeNull();
    }
  });
});
