import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Box, clipped, holesOf } from './lit-boxes.ts';

const box = (left: number, top: number, width: number, height = 20): Box => ({
  left,
  top,
  right: left + width,
  bottom: top + height,
});

const holds = (outer: Box, inner: Box) =>
  outer.left <= inner.left &&
  outer.top <= inner.top &&
  outer.right >= inner.right &&
  outer.bottom >= inner.bottom;

describe('holesOf', () => {
  it('joins adjacent bytes into one hole, over the gap between groups', () => {
    const cells = [box(100, 50, 22), box(122, 50, 22), box(154, 50, 22)];
    expect(holesOf(cells)).toEqual([{ left: 95, top: 45, right: 181, bottom: 75 }]);
  });

  it('keeps distant parts of a row separate', () => {
    expect(holesOf([box(0, 0, 20), box(300, 0, 20)])).toHaveLength(2);
  });

  it('joins rows of one width, and not those of another', () => {
    const rows = [box(0, 0, 200), box(0, 20, 200), box(0, 40, 80)];
    expect(holesOf(rows)).toEqual([
      { left: -5, top: -5, right: 205, bottom: 45 },
      { left: -5, top: 35, right: 85, bottom: 65 },
    ]);
  });

  it('lights every box', () => {
    const boxes = fc.array(
      fc
        .tuple(fc.nat(900), fc.nat(900), fc.integer({ min: 1, max: 90 }), fc.constantFrom(20, 22))
        .map(([left, top, width, height]) => box(left, top, width, height)),
      { maxLength: 40 },
    );
    fc.assert(
      fc.property(boxes, (all) => {
        const holes = holesOf(all);
        expect(holes.length).toBeLessThanOrEqual(all.length);
        for (const one of all) expect(holes.some((hole) => holds(hole, one))).toBe(true);
      }),
    );
  });
});

describe('clipped', () => {
  it('keeps the parts inside, and drops the rest', () => {
    expect(clipped(box(0, 0, 50), box(20, 5, 100))).toEqual({
      left: 20,
      top: 5,
      right: 50,
      bottom: 20,
    });
    expect(clipped(box(0, 0, 50), box(50, 0, 10))).toBeNull();
  });
});
