import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { byteAfterKey } from './HexGrid.tsx';

const space = { baseOffset: 0x40, length: 100, columns: 16, pageRows: 3 };

describe('byteAfterKey', () => {
  it.each([
    ['ArrowRight', 0x40, false, 0x41],
    ['ArrowLeft', 0x40, false, 0x40],
    ['ArrowDown', 0x41, false, 0x51],
    ['ArrowUp', 0x51, false, 0x41],
    ['ArrowUp', 0x41, false, 0x41],
    ['ArrowDown', 0x9f, false, 0x9f],
    ['PageDown', 0x41, false, 0x71],
    ['PageDown', 0x81, false, 0xa1],
    ['PageUp', 0x71, false, 0x41],
    ['PageUp', 0x51, false, 0x41],
    ['Home', 0x5a, false, 0x50],
    ['End', 0x5a, false, 0x5f],
    ['End', 0xa1, false, 0xa3],
    ['Home', 0x5a, true, 0x40],
    ['End', 0x5a, true, 0xa3],
    ['q', 0x5a, false, null],
  ])('%s from %i (far: %s) goes to %s', (key, from, isFar, to) => {
    expect(byteAfterKey(key, from, space, isFar)).toBe(to);
  });

  it('stays in the region and, but for Left, Right and the ends, in a column', () => {
    const keys = fc.constantFrom('ArrowUp', 'ArrowDown', 'PageUp', 'PageDown');
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 5_000 }), fc.nat(), keys, (length, seed, key) => {
        const region = { baseOffset: 7, length, columns: 16, pageRows: 4 };
        const from = 7 + (seed % length);
        const to = byteAfterKey(key, from, region, false) ?? Number.NaN;
        expect(to).toBeGreaterThanOrEqual(7);
        expect(to).toBeLessThan(7 + length);
        expect(Math.abs(to - from) % 16).toBe(0);
      }),
    );
  });

  it('goes nowhere in an empty region', () => {
    expect(byteAfterKey('End', 0, { ...space, length: 0 }, true)).toBeNull();
  });
});
