import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { copyTypes } from '#analysis/rewrite/copy-types.ts';
import { kindName } from '#formats/btf/kinds.ts';
import { typeId } from '#model/ids.ts';
import { lastId, type TypeTable } from '#model/type-table.ts';
import { btfBlob } from '#testing/btf-blob.ts';
import {
  enumeration,
  func,
  funcProto,
  fwd,
  int,
  ptr,
  struct,
  type TypeRecord,
  typedef,
} from '#testing/btf-types.ts';
import { anyTypes, tableFrom } from '#testing/compared-types.ts';
import { tableOf } from '#testing/type-table.ts';
import { FACETS } from './changes.ts';
import {
  compareTables,
  comparisonRow,
  rowGrowth,
  stateCounts,
  type WholeComparison,
} from './compare-tables.ts';

function compared(a: TypeTable, b: TypeTable): WholeComparison {
  const work = compareTables(a, b);
  let step = work.next();
  for (; !step.done; step = work.next()) {
    expect(step.value.done).toBeLessThanOrEqual(Math.max(step.value.total, step.value.done));
  }
  return step.value;
}

/** Returns the rows of a comparison as text: `changed struct s`. */
function told(before: readonly TypeRecord[], after: readonly TypeRecord[]): string[] {
  const tables = { a: tableFrom(before), b: tableFrom(after) };
  const whole = compared(tables.a, tables.b);
  return Array.from({ length: whole.count }, (_, i) => {
    const row = comparisonRow(whole, tables, i);
    if (row === null) throw new Error('a row within the count');
    const facets = FACETS.flatMap((facet, at) =>
      row.facets[at] === 0 ? [] : [`${facet} ${row.facets[at]}`],
    );
    const cause = row.cause === null ? [] : [`because of [${row.cause}]`];
    return [row.state, kindName(row.kind).toLowerCase(), row.label, ...facets, ...cause].join(' ');
  });
}

const U32 = int('u32', 4);
const holding = (name: string, type: number) =>
  struct(name, 8, [{ name: 'x', type, bitOffset: 0 }]);

/** Returns a table with `count` copies of `typedef void same;`. */
function manyTypedefs(count: number): TypeTable {
  const HEADER = 24;
  const RECORD = 12;
  const one = btfBlob({ types: [typedef('same', 0)] }).bytes;
  const bytes = new Uint8Array(one.length + RECORD * (count - 1));
  bytes.set(one.subarray(0, HEADER));
  const record = one.subarray(HEADER, HEADER + RECORD);
  for (let i = 0; i < count; i++) bytes.set(record, HEADER + RECORD * i);
  bytes.set(one.subarray(HEADER + RECORD), HEADER + RECORD * count);
  const words = new DataView(bytes.buffer);
  words.setUint32(12, RECORD * count, true);
  words.setUint32(16, RECORD * count, true);
  return tableOf(bytes);
}

describe('compareTables', () => {
  it('takes no room for the names of a base that is said to have 4 GB of them', () => {
    const t = tableFrom([U32, struct('s', 4, []), ptr(2)]);
    const strings = t.strEnd - t.strStart;
    const far = { ...t, strBase: 0xffffffff - strings, split: true };
    const before = process.memoryUsage().arrayBuffers;
    expect(compared(far, far).totals).toMatchObject({ a: 0, b: 0 });
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(1 << 20);
  });

  it('lists 150,000 types that only one side has, more than a call can have arguments', () => {
    const COUNT = 150_000;
    const many = manyTypedefs(COUNT);
    const few = tableFrom([typedef('same', 0)]);
    expect(stateCounts(compared(few, many))).toEqual([0, 0, COUNT - 1, 0]);
    expect(stateCounts(compared(many, few))).toEqual([0, 0, 0, COUNT - 1]);
    const others = tableFrom([int('other', 4)]);
    expect(stateCounts(compared(many, others))).toEqual([0, 0, 1, COUNT]);
  });

  it('lists added, removed, changed and nested changes', () => {
    expect(
      told(
        [
          U32,
          struct('gone', 4, []),
          struct('inner', 4, []),
          holding('outer', 3),
          holding('far', 4),
        ],
        [U32, struct('new', 4, []), struct('inner', 8, []), holding('outer', 3), holding('far', 4)],
      ),
    ).toEqual([
      'inside struct far because of [3]',
      'removed struct gone',
      'changed struct inner size 1',
      'added struct new',
      'inside struct outer because of [3]',
    ]);
  });

  it('does not carry a change behind a pointer', () => {
    const types = (size: number) => [struct('inner', size, []), ptr(1), holding('outer', 2)];
    expect(told(types(4), types(8))).toEqual(['changed struct inner size 1']);
  });

  it('takes an unnamed type as part of what spells it', () => {
    const types = (size: number) => [
      struct('', size, [{ name: 'y', type: 3, bitOffset: 0 }]),
      holding('s', 1),
      U32,
      typedef('t', 1),
    ];
    expect(told(types(4), types(8))).toEqual(['changed struct s', 'changed typedef t']);
  });

  it('identifies an anonymous enum by its first enumerator', () => {
    const types = (last: number) => [
      enumeration('', [
        ['A', 0],
        ['B', last],
      ]),
      enumeration('', [['Z', 0]]),
    ];
    expect(told(types(1), types(2))).toEqual(['changed enum (anon) A value 1']);
  });

  it('follows a function to its parameters', () => {
    const types = (name: string) => [func('f', 2), funcProto(0, [[name, 3]]), U32];
    expect(told(types('a'), types('b'))).toEqual(['changed func f renamed 1']);
  });

  it('keeps a declaration apart from a definition', () => {
    expect(told([fwd('s')], [struct('s', 4, [])])).toEqual(['added struct s', 'removed fwd s']);
  });

  it('pairs equals of one name with those that are alike, whatever their order', () => {
    const one = struct('s', 4, [{ name: 'a', type: 1, bitOffset: 0 }]);
    const other = struct('s', 8, [{ name: 'b', type: 1, bitOffset: 0 }]);
    const third = struct('s', 8, [
      { name: 'b', type: 1, bitOffset: 0 },
      { name: 'c', type: 1, bitOffset: 32 },
    ]);
    expect(told([U32, one, other], [U32, other, one])).toEqual([]);
    // Of two old types, the type with a common member name matches; the other type is removed.
    expect(told([U32, one, other], [U32, third])).toEqual([
      'removed struct s',
      'changed struct s added 1',
    ]);
  });

  it('counts equal types, and all on each side', () => {
    const tables = [tableFrom([U32, struct('a', 0, [])]), tableFrom([U32])] as const;
    const whole = compared(...tables);
    expect(whole.same).toBe(1);
    expect(whole.totals).toEqual({ a: 2, b: 1 });
    expect(stateCounts(whole)).toEqual([0, 0, 0, 1]);
    expect(rowGrowth(whole, { a: tables[0], b: tables[1] }, 0)).toBe(0);
    expect(comparisonRow(whole, { a: tables[0], b: tables[1] }, 1)).toBeNull();
  });

  it('lists the own types of split BTF, and looks into its base for what they hold', () => {
    const base = (size: number) => tableFrom([struct('inner', size, [])]);
    const on = (table: TypeTable) =>
      tableOf(btfBlob({ types: [{ ...holding('outer', 1) }] }).bytes, {
        ...table,
        strEnd: table.strStart,
      });
    const [a, b] = [on(base(4)), on(base(8))];
    const whole = compared(a, b);
    expect(whole.totals).toEqual({ a: 1, b: 1 });
    expect(stateCounts(whole)).toEqual([0, 1, 0, 0]);
    expect(lastId(a)).toBe(2);
  });

  it('finds no difference between any table and its copy', () => {
    fc.assert(
      fc.property(anyTypes(14), (types) => {
        const t = tableFrom(types);
        const ids = Array.from({ length: t.count }, (_, i) => typeId(i + 1));
        const copy = tableOf(copyTypes(t, ids).blob);
        const again = tableOf(copyTypes(copy, ids).blob);
        expect(compared(copy, again)).toMatchObject({ count: 0 });
      }),
    );
  });

  it('is total, and each own type with a name is counted once', () => {
    fc.assert(
      fc.property(anyTypes(14), anyTypes(14), (before, after) => {
        const [a, b] = [tableFrom(before), tableFrom(after)];
        const whole = compared(a, b);
        const back = compared(b, a);
        const [changed = 0, inside = 0, added = 0, removed = 0] = stateCounts(whole);
        expect(whole.totals.a).toBe(changed + inside + removed + whole.same);
        expect(whole.totals.b).toBe(changed + inside + added + whole.same);
        expect(back.same).toBe(whole.same);
        expect(stateCounts(back)).toEqual([changed, inside, removed, added]);
      }),
    );
  });
});
