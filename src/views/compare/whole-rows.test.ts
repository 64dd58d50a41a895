import { describe, expect, it } from 'vitest';
import { compareTables, rowLabel, type STATES } from '#analysis/compare/compare-tables.ts';
import { BtfKind } from '#formats/btf/kinds.ts';
import { int, struct, typedef } from '#testing/btf-types.ts';
import { tableFrom } from '#testing/compared-types.ts';
import { listedKinds, listedRows } from './whole-rows.ts';

const members = (count: number) =>
  Array.from({ length: count }, (_, i) => ({ name: `m${i}`, type: 1, bitOffset: 32 * i }));
const tables = {
  a: tableFrom([
    int('u32', 4),
    struct('big', 4, members(1)),
    struct('Small', 8, []),
    struct('gone', 1, []),
  ]),
  b: tableFrom([
    int('u32', 4),
    struct('big', 16, members(4)),
    struct('Small', 4, []),
    typedef('fresh', 1),
  ]),
};
const work = compareTables(tables.a, tables.b);
let step = work.next();
while (!step.done) step = work.next();
const whole = step.value;

const NO_FILTER = {
  states: new Set<(typeof STATES)[number]>(),
  facets: new Set<never>(),
  kind: null,
  order: 'name',
  descending: false,
} as const;
const names = (settings: Partial<Parameters<typeof listedRows>[2]>, text = '') =>
  Array.from(listedRows(whole, tables, { ...NO_FILTER, ...settings }, text), (row) =>
    rowLabel(whole, tables, row),
  );

describe('listedRows', () => {
  it('lists all by name, and in reverse', () => {
    expect(names({})).toEqual(['Small', 'big', 'fresh', 'gone']);
    expect(names({ descending: true })).toEqual(['gone', 'fresh', 'big', 'Small']);
  });

  it('filters by state, by change, by kind and by name', () => {
    expect(names({ states: new Set(['added', 'removed']) })).toEqual(['fresh', 'gone']);
    expect(names({ facets: new Set(['added']) })).toEqual(['big']);
    expect(names({ facets: new Set(['added', 'size']) })).toEqual(['Small', 'big']);
    expect(names({ kind: BtfKind.TYPEDEF })).toEqual(['fresh']);
    expect(names({}, ' SMA ')).toEqual(['Small']);
    expect(names({}, 'nothing')).toEqual([]);
  });

  it('sorts by how much is changed, by growth, by kind and by state; equals stay by name', () => {
    expect(names({ order: 'weight', descending: true })).toEqual(['big', 'Small', 'fresh', 'gone']);
    expect(names({ order: 'size' })).toEqual(['Small', 'fresh', 'gone', 'big']);
    expect(names({ order: 'kind' })).toEqual(['Small', 'big', 'gone', 'fresh']);
    expect(names({ order: 'state' })).toEqual(['Small', 'big', 'fresh', 'gone']);
  });

  it('has the kinds of the comparison', () => {
    expect(listedKinds(whole, tables)).toEqual([BtfKind.STRUCT, BtfKind.TYPEDEF]);
  });
});
