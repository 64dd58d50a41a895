import { describe, expect, it } from 'vitest';
import { structLayout } from '#analysis/types/struct-layout.ts';
import { tableOf } from '#analysis/types/type-table-for-tests.ts';
import { isWide, MAX_ITEMS } from '#analysis/types/wide-types.ts';
import { typeId } from '#model/ids.ts';
import type { TypeTable } from '#model/type-table.ts';
import { btfBlob } from '#testing/btf-blob.ts';
import { int, struct } from '#testing/btf-types.ts';
import { FIRST_PAGE, memberPage, pageOfPath } from './member-page.ts';
import { memberRows, rowOfPath } from './member-rows.ts';

const IT = typeId(2);
const COUNT = 2 * MAX_ITEMS + 5;
const NONE: ReadonlySet<string> = new Set();

/** Members of four bytes, eight apart: a hole in front of each but the first, padding at the end. */
function wide(count: number): TypeTable {
  const members = Array.from({ length: count }, (_, i) => ({
    name: `m${i}`,
    type: 1,
    bitOffset: 64 * i,
  }));
  return tableOf(btfBlob({ types: [int('int', 4), struct('wide', 8 * count, members)] }).bytes);
}

describe('memberPage', () => {
  const types = wide(COUNT);

  it('cuts the members into pages, the last of them shorter', () => {
    expect(memberPage(types, IT, 0)).toMatchObject({ first: 0, end: MAX_ITEMS, pages: 3 });
    expect(memberPage(types, IT, 2)).toMatchObject({ first: 2 * MAX_ITEMS, end: COUNT });
    expect(memberPage(types, IT, 9).number).toBe(2);
    expect(memberPage(types, typeId(1), 3)).toMatchObject({ number: 0, pages: 1, total: 0 });
  });

  it('finds the page of a member', () => {
    expect([[], [0], [MAX_ITEMS - 1], [MAX_ITEMS, 3]].map(pageOfPath)).toEqual([0, 0, 0, 1]);
  });

  it('has the rows of its members, the holes in front of them, and padding on the last page alone', () => {
    const [first, , last] = [0, 1, 2].map((number) =>
      memberRows(types, IT, NONE, memberPage(types, IT, number)),
    );
    expect(first?.length).toBe(2 * MAX_ITEMS - 1);
    expect(first?.at(-1)).toMatchObject({ kind: 'member', index: MAX_ITEMS - 1 });
    expect(last?.map(({ kind }) => kind)).toEqual([
      ...Array.from({ length: 5 }, () => ['hole', 'member']).flat(),
      'padding',
    ]);
    expect(last?.[0]).toMatchObject({ bitOffset: 64 * 2 * MAX_ITEMS - 32, bitSize: 32 });
    expect(rowOfPath(last ?? [], [2 * MAX_ITEMS + 1])).toBe(3);
  });

  it('adds up to the layout of the whole', () => {
    const whole = structLayout(types, IT);
    const pages = [0, 1, 2].map((number) => structLayout(types, IT, memberPage(types, IT, number)));
    expect(pages.flatMap(({ rows }) => rows.map(({ bitOffset }) => bitOffset))).toEqual(
      whole.rows.map(({ bitOffset }) => bitOffset),
    );
    expect(pages.reduce((sum, { holes }) => sum + holes, 0)).toBe(whole.holes);
    expect(pages.map(({ paddingBits }) => paddingBits)).toEqual([0, 0, whole.paddingBits]);
  });
});

describe('isWide', () => {
  it('begins behind a page of members', () => {
    expect(isWide(wide(MAX_ITEMS), IT)).toBe(false);
    expect(isWide(wide(MAX_ITEMS + 1), IT)).toBe(true);
    expect(isWide(wide(MAX_ITEMS + 1), typeId(1))).toBe(false);
  });

  it('leaves a struct of one page as it is', () => {
    const types = wide(3);
    expect(memberRows(types, IT, NONE)).toEqual(memberRows(types, IT, NONE, FIRST_PAGE));
    expect(memberPage(types, IT, 0)).toMatchObject({ first: 0, end: 3, pages: 1 });
  });
});
