import { describe, expect, it } from 'vitest';
import { columnWindow } from './MatrixGrid.tsx';

describe('columnWindow', () => {
  it.each([
    ['at the start', 30, 0, 600, 0, 8],
    ['in the middle', 30, 1200, 600, 7, 18],
    ['at the end', 30, 3000, 600, 22, 30],
    ['with room for all', 4, 0, 600, 0, 4],
    ['without room', 30, 0, -40, 0, 3],
    ['without columns', 0, 0, 600, 0, 0],
  ])('%s', (_, count, scrollLeft, room, first, end) => {
    expect(columnWindow({ count, width: 120, scrollLeft, room })).toEqual({ first, end });
  });
});
