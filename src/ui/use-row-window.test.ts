import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  afterScroll,
  contentOffsetOf,
  MAX_SCROLL_HEIGHT,
  maxContentOffset,
  offsetToShow,
  type RowSpace,
  rowWindow,
  scrollHeight,
  scrollTopOf,
} from './use-row-window.ts';

const small: RowSpace = { count: 1_000, rowHeight: 20, viewportHeight: 400 };
const gigabytes: RowSpace = { count: 200_000_000, rowHeight: 22, viewportHeight: 600 };

const spaces = fc.record({
  count: fc.integer({ min: 0, max: 1_000_000_000 }),
  rowHeight: fc.integer({ min: 10, max: 60 }),
  viewportHeight: fc.integer({ min: 0, max: 2_000 }),
});

describe('the map between scroll and content', () => {
  it('is one to one while everything fits in an element', () => {
    expect(scrollHeight(small)).toBe(20_000);
    expect(contentOffsetOf(small, 1_234.5)).toBe(1_234.5);
    expect(scrollTopOf(small, 1_234.5)).toBe(1_234.5);
  });

  it('makes no element that is too tall', () => {
    expect(scrollHeight(gigabytes)).toBe(MAX_SCROLL_HEIGHT);
  });

  it('takes the end of the scroller to the end of the content', () => {
    const bottom = MAX_SCROLL_HEIGHT - gigabytes.viewportHeight;
    expect(contentOffsetOf(gigabytes, bottom)).toBe(maxContentOffset(gigabytes));
    expect(scrollTopOf(gigabytes, maxContentOffset(gigabytes))).toBe(bottom);
  });

  it('goes there and back, and keeps the order', () => {
    fc.assert(
      fc.property(spaces, fc.double({ min: 0, max: 1, noNaN: true }), (space, part) => {
        const offset = part * maxContentOffset(space);
        const there = scrollTopOf(space, offset);
        const back = contentOffsetOf(space, there);
        expect(Math.abs(back - offset)).toBeLessThan(0.01);
        expect(scrollTopOf(space, offset + 1_000)).toBeGreaterThanOrEqual(there);
      }),
    );
  });
});

describe('scrolling', () => {
  it('moves by its own pixels in the middle of gigabytes', () => {
    const offset = 2_000_000_000;
    const top = scrollTopOf(gigabytes, offset);
    expect(afterScroll(gigabytes, offset, top, top + 100)).toBe(offset + 100);
  });

  it('follows the thumb when it is dragged', () => {
    const offset = 2_000_000_000;
    const top = scrollTopOf(gigabytes, offset);
    const next = afterScroll(gigabytes, offset, top, top + 50_000);
    expect(next).toBeGreaterThan(offset + 10_000_000);
  });

  it('is at the end of the content at the end of the scroller, however it got there', () => {
    const bottom = MAX_SCROLL_HEIGHT - gigabytes.viewportHeight;
    expect(afterScroll(gigabytes, 5, bottom - 10, bottom)).toBe(maxContentOffset(gigabytes));
    expect(afterScroll(gigabytes, 5_000, 10, 0)).toBe(0);
  });

  it('stays inside the content', () => {
    fc.assert(
      fc.property(spaces, fc.double({ min: 0, max: 1, noNaN: true }), fc.integer(), (s, p, by) => {
        const top = p * Math.max(0, scrollHeight(s) - s.viewportHeight);
        const next = afterScroll(s, p * maxContentOffset(s), top, top + by);
        expect(next).toBeGreaterThanOrEqual(0);
        expect(next).toBeLessThanOrEqual(maxContentOffset(s));
      }),
    );
  });
});

describe('offsetToShow', () => {
  it.each([
    ['a visible row', 100, 'center', 2_000],
    ['a row above, near', 50, 'nearest', 1_000],
    ['a row below, near', 200, 'nearest', 3_620],
    ['a row below, in the middle', 200, 'center', 3_810],
    ['the last row', 999, 'center', 19_600],
    ['a row that is not there', 5_000, 'nearest', 19_600],
  ] as const)('%s', (_name, row, align, offset) => {
    expect(offsetToShow(small, 2_000, row, align)).toBe(offset);
  });

  it('always leaves the row in sight', () => {
    const anyRow = fc.nat({ max: gigabytes.count - 1 });
    fc.assert(
      fc.property(anyRow, anyRow, (from, row) => {
        const offset = offsetToShow(gigabytes, from * 22, row, 'nearest');
        expect(row * 22).toBeGreaterThanOrEqual(offset);
        expect(row * 22 + 22).toBeLessThanOrEqual(offset + gigabytes.viewportHeight);
      }),
    );
  });
});

describe('rowWindow', () => {
  it('holds the visible rows and a few more', () => {
    expect(rowWindow(small, 2_010, 0, 5)).toEqual({ first: 95, end: 126, shift: 0 });
  });

  it('stays small and inside, whatever the count', () => {
    fc.assert(
      fc.property(spaces, fc.double({ min: 0, max: 1, noNaN: true }), (space, part) => {
        const offset = part * maxContentOffset(space);
        const { first, end } = rowWindow(space, offset, 0, 8);
        expect(first).toBeGreaterThanOrEqual(0);
        expect(end).toBeLessThanOrEqual(space.count);
        expect(end - first).toBeLessThanOrEqual(space.viewportHeight / space.rowHeight + 19);
      }),
    );
  });
});
