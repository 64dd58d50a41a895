import { describe, expect, it } from 'vitest';
import { sharedWidths } from './grid-widths.ts';

describe('sharedWidths', () => {
  const name = { wide: 200, widest: 420 };

  it.each([
    ['usual widths, if no cell needs more', 834, 150, [90, 90], 420, [124, 124]],
    ['more, if a cell needs it', 834, 150, [170, 90], 420, [170, 124]],
    ['width of the name column', 834, 270, [170, 170, 90], 370, [170, 170, 124]],
    ['width of a column that needs less', 500, 200, [200, 90], 200, [200, 100]],
    ['shares of the free width, if all columns need more', 600, 400, [324, 324], 250, [174, 174]],
    ['no more than the widest name', 1000, 900, [124], 420, [124]],
  ])('gives %s', (_, room, need, columns, first, widths) => {
    expect(sharedWidths({ room, columnWidth: 124, name, needs: { name: need, columns } })).toEqual({
      name: first,
      columns: widths,
    });
  });
});
