import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sectionIndex } from '#model/ids.ts';
import { buildPlaceIndex, rowAtOrBefore, rowsBetween } from './place-index.ts';

const SECTIONS = 4;
type Row = { readonly section: number; readonly offset: number };

function indexOf(rows: readonly Row[]) {
  return buildPlaceIndex(
    rows.length,
    SECTIONS,
    (i) => rows[i]?.section ?? -1,
    (i) => rows[i]?.offset ?? 0,
  );
}

/** Returns by linear search the rows that `rowsBetween` should return. */
function between(rows: readonly Row[], section: number, start: number, end: number): number[] {
  return [...rows.keys()]
    .filter((i) => {
      const row = rows[i];
      return row?.section === section && row.offset >= start && row.offset < end;
    })
    .sort((a, b) => (rows[a]?.offset ?? 0) - (rows[b]?.offset ?? 0) || a - b);
}

const anyRows = fc.array(
  fc.record({ section: fc.integer({ min: -1, max: SECTIONS }), offset: fc.nat(40) }),
);

describe('a place index', () => {
  it('finds the rows of a range, by place, equal places in table order', () => {
    fc.assert(
      fc.property(
        anyRows,
        fc.nat(SECTIONS - 1),
        fc.nat(40),
        fc.nat(20),
        (rows, section, at, length) => {
          const found = rowsBetween(indexOf(rows), sectionIndex(section), at, at + length);
          expect([...found]).toEqual(between(rows, section, at, at + length));
        },
      ),
    );
  });

  it('finds the last row at or before a place', () => {
    fc.assert(
      fc.property(anyRows, fc.nat(SECTIONS - 1), fc.nat(45), (rows, section, at) => {
        const found = rowAtOrBefore(indexOf(rows), sectionIndex(section), at);
        expect(found).toBe(between(rows, section, 0, at + 1).at(-1) ?? null);
      }),
    );
  });

  it('is empty for sections that do not exist', () => {
    const index = indexOf([{ section: 1, offset: 0 }]);
    expect([...rowsBetween(index, sectionIndex(99), 0, Infinity)]).toEqual([]);
    expect(rowAtOrBefore(index, sectionIndex(-1), 5)).toBeNull();
  });
});
