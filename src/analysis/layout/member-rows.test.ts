import { describe, expect, it } from 'vitest';
import { structLayout } from '#analysis/types/struct-layout.ts';
import { isWide, MAX_ITEMS } from '#analysis/types/wide-types.ts';
import { typeId } from '#model/ids.ts';
import type { TypeTable } from '#model/type-table.ts';
import { btfBlob } from '#testing/btf-blob.ts';
import { array, int, struct, type TypeRecord, typedef, union } from '#testing/btf-types.ts';
import { openModel } from '#testing/open-model.ts';
import { tableOf } from '#testing/type-table.ts';
import {
  compositeOf,
  FIRST_PAGE,
  keysAbove,
  keysToUnfold,
  memberNear,
  memberPage,
  memberRows,
  pageOfPath,
  pathKey,
  rowOfPath,
} from './member-rows.ts';

async function typesOf(...types: readonly TypeRecord[]) {
  const model = await openModel('members.btf', btfBlob({ types }).bytes);
  if (model.types === null) throw new Error('no types');
  return model.types;
}

/** Returns [1] int, [2] inner {x, y}, [3] typedef of inner, [4] union {i, in}, [5] outer. */
const nested = () =>
  typesOf(
    int('int', 4),
    struct('inner', 8, [
      { name: 'x', type: 1, bitOffset: 0 },
      { name: 'y', type: 1, bitOffset: 32 },
    ]),
    typedef('inner_t', 2),
    union('', 8, [
      { name: 'i', type: 1, bitOffset: 0 },
      { name: 'in', type: 2, bitOffset: 0 },
    ]),
    struct('outer', 32, [
      { name: 'a', type: 1, bitOffset: 0 },
      { name: 'b', type: 3, bitOffset: 64 },
      { name: '', type: 4, bitOffset: 128 },
    ]),
  );

const outer = typeId(5);
const shown = (rows: ReturnType<typeof memberRows>) =>
  rows.map((row) => `${row.depth} ${row.kind} ${row.name} @${row.bitOffset} ${pathKey(row.path)}`);

describe('memberRows', () => {
  it('unfolds a struct that holds itself in each of 9,990 members as far as there is room', async () => {
    const WIDE = 9990;
    const members = Array.from({ length: WIDE }, () => ({ name: '', type: 1, bitOffset: 0 }));
    const types = await typesOf(struct('', 8, members), struct('s', 8, members));
    const keys = keysToUnfold(types, typeId(2), 'unnamed');
    const rows = memberRows(types, typeId(2), keys);
    expect(keys.size).toBeGreaterThan(0);
    expect(rows.length).toBe(2 * WIDE);
  });

  it('shows members, holes and padding of a folded struct', async () => {
    const types = await nested();
    expect(shown(memberRows(types, outer, new Set()))).toEqual([
      '0 member a @0 0',
      '0 hole  @32 ',
      '0 member b @64 1',
      '0 member  @128 2',
      '0 padding  @192 ',
    ]);
  });

  it('lists the members of an unfolded member after it, with offsets from the outermost struct', async () => {
    const types = await nested();
    const rows = memberRows(types, outer, new Set(['1', '2', '2/1']));
    expect(shown(rows).slice(2, 10)).toEqual([
      '0 member b @64 1',
      '1 member x @64 1/0',
      '1 member y @96 1/1',
      '0 member  @128 2',
      '1 member i @128 2/0',
      '1 member in @128 2/1',
      '2 member x @128 2/1/0',
      '2 member y @160 2/1/1',
    ]);
    expect(rowOfPath(rows, [2, 1, 1])).toBe(9);
    expect(rowOfPath(rows, [])).toBeNull();
    expect(rowOfPath(rows, [7])).toBeNull();
  });

  it('can be unfolded where a struct has members, through typedefs but not through arrays', async () => {
    const types = await typesOf(
      int('int', 4),
      struct('inner', 4, [{ name: 'x', type: 1, bitOffset: 0 }]),
      typedef('inner_t', 2),
      array(2, 1, 2),
      struct('empty', 0, []),
      struct('s', 16, [
        { name: 'viaTypedef', type: 3, bitOffset: 0 },
        { name: 'viaArray', type: 4, bitOffset: 32 },
        { name: 'empty', type: 5, bitOffset: 96 },
        { name: 'plain', type: 1, bitOffset: 96 },
      ]),
    );
    const rows = memberRows(types, typeId(6), new Set());
    expect(rows.map((row) => row.inner)).toEqual([2, null, null, null]);
  });

  it('follows a struct that contains itself only to the unfolded depth', async () => {
    const types = await typesOf(struct('s', 4, [{ name: 'self', type: 1, bitOffset: 0 }]));
    const keys = new Set(['0', '0/0', '0/0/0']);
    expect(memberRows(types, typeId(1), keys).filter(({ kind }) => kind === 'member')).toHaveLength(
      4,
    );
  });

  it('finds the last of thousands of members', async () => {
    const members = Array.from({ length: 8_000 }, (_, i) => ({
      name: 'm',
      type: 1,
      bitOffset: 8 * i,
    }));
    const types = await typesOf(int('char', 1), struct('wide', 8_000, members));
    const rows = memberRows(types, typeId(2), new Set());
    expect(rows).toHaveLength(8_000);
    expect(rowOfPath(rows, [7_999])).toBe(7_999);
  });
});

it('finds the struct through typedefs, and null for other types', async () => {
  const types = await nested();
  expect([1, 2, 3, 4, 99].map((id) => compositeOf(types, typeId(id)))).toEqual([
    null,
    2,
    2,
    4,
    null,
  ]);
});

it('expands the parents of a member, not the member', () => {
  expect(keysAbove([])).toEqual([]);
  expect(keysAbove([3])).toEqual([]);
  expect(keysAbove([3, 0, 12])).toEqual(['3', '3/0']);
});

describe('memberNear', () => {
  it('passes over holes in the direction of the step', async () => {
    const rows = memberRows(await nested(), outer, new Set());
    expect(memberNear(rows, 0, null)).toBe(0);
    expect(memberNear(rows, 1, 0)).toBe(2);
    expect(memberNear(rows, 1, 2)).toBe(0);
    expect(memberNear(rows, 4, 0)).toBe(3);
    expect(memberNear(rows, 4, 3)).toBeNull();
  });
});

describe('keysToUnfold', () => {
  it('takes members without a name, however deep, or all that hold some', async () => {
    const types = await nested();
    expect([...keysToUnfold(types, outer, 'unnamed')]).toEqual(['2']);
    expect([...keysToUnfold(types, outer, 'all')]).toEqual(['1', '2', '2/1']);
  });

  it('ends if a struct contains itself', async () => {
    const types = await typesOf(struct('s', 4, [{ name: 'self', type: 1, bitOffset: 0 }]));
    expect(keysToUnfold(types, typeId(1), 'all').size).toBe(64);
  });
});

const IT = typeId(2);
const COUNT = 2 * MAX_ITEMS + 5;
const NONE: ReadonlySet<string> = new Set();

/**
 * Returns a struct with members of four bytes at multiples of eight: a hole before each member
 * except the first, padding at the end.
 */
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

  it('does not change a struct of one page', () => {
    const types = wide(3);
    expect(memberRows(types, IT, NONE)).toEqual(memberRows(types, IT, NONE, FIRST_PAGE));
    expect(memberPage(types, IT, 0)).toMatchObject({ first: 0, end: 3, pages: 1 });
  });
});
