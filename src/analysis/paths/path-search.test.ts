/** Compares the search with an exhaustive search, which uses no index, on small random graphs. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { BtfKind } from '#formats/btf/kinds.ts';
import { type TypeId, typeId } from '#model/ids.ts';
import { isComposite, membersOf } from '#model/type-items.ts';
import {
  arrayData,
  kindOf,
  sizeOrTypeOf,
  skipModifiers,
  type TypeTable,
} from '#model/type-table.ts';
import { btfBlob } from '#testing/btf-blob.ts';
import { array, int, ptr, struct, type TypeRecord, union } from '#testing/btf-types.ts';
import { runs } from '#testing/runs.ts';
import { tableOf } from '#testing/type-table.ts';
import { askPaths, type TypePath } from './ask-paths.ts';
import { buildPathIndex } from './path-index.ts';

/** Cost of a path: compared by pointers, then named members, then the length of the names. */
type Cost = readonly [pointers: number, steps: number, letters: number];

const INT = 1;
const FIRST = 2;

type RandomMember = {
  readonly to: number;
  readonly how: 'value' | 'array' | 'ptr' | 'ptr-ptr' | 'ptr-array' | 'array-of-ptr';
  readonly name: string;
};

const memberOf = (count: number): fc.Arbitrary<RandomMember> =>
  fc.record({
    to: fc.nat(count - 1),
    how: fc.constantFrom(
      'value',
      'array',
      'ptr',
      'ptr',
      'ptr',
      'ptr-ptr',
      'ptr-array',
      'array-of-ptr',
    ),
    name: fc.constantFrom('', 'a', 'bb', 'ccc', 'target', 'dddd'),
  });

const graph = fc.integer({ min: 2, max: 6 }).chain((count) =>
  fc.record({
    structs: fc.array(
      fc.record({
        isUnion: fc.boolean(),
        hasName: fc.boolean(),
        members: fc.array(memberOf(count), { maxLength: 4 }),
      }),
      { minLength: count, maxLength: count },
    ),
    from: fc.nat(count - 1),
    to: fc.nat(count - 1),
  }),
);

type RandomGraph = typeof graph extends fc.Arbitrary<infer T> ? T : never;

/** Returns the types of a graph. Struct `i` has id `FIRST + i`; pointers and arrays follow. */
function typesOf({ structs, from, to }: RandomGraph): TypeTable {
  const records: TypeRecord[] = [int('int', 4)];
  const behind: TypeRecord[] = [];
  const add = (record: TypeRecord) => {
    behind.push(record);
    return FIRST + structs.length + behind.length - 1;
  };
  const typeOfMember = ({ to: end, how }: RandomMember): number => {
    const id = FIRST + end;
    switch (how) {
      case 'value':
        return id;
      case 'array':
        return add(array(id, INT, 3));
      case 'ptr':
        return add(ptr(id));
      case 'ptr-ptr':
        return add(ptr(add(ptr(id))));
      case 'ptr-array':
        return add(ptr(add(array(id, INT, 2))));
      case 'array-of-ptr':
        return add(array(add(ptr(id)), INT, 2));
    }
  };
  structs.forEach(({ isUnion, hasName, members }, i) => {
    const name = hasName || i === from || i === to ? `s${i}` : '';
    const fields = members.map((m) => ({ name: m.name, type: typeOfMember(m), bitOffset: 0 }));
    records.push(isUnion ? union(name, 8, fields) : struct(name, 8, fields));
  });
  return tableOf(btfBlob({ types: [...records, ...behind] }).bytes);
}

/** Returns the struct that a member's type leads to, and the number of followed pointers. */
function endOf(
  t: TypeTable,
  type: TypeId,
): { readonly to: TypeId; readonly pointers: number } | null {
  let at = skipModifiers(t, type);
  let pointers = 0;
  for (;;) {
    const kind = kindOf(t, at);
    if (isComposite(kind)) return { to: at, pointers };
    if (kind === BtfKind.PTR) {
      pointers++;
      at = skipModifiers(t, typeId(sizeOrTypeOf(t, at)));
    } else if (kind === BtfKind.ARRAY) {
      at = skipModifiers(t, arrayData(t, at).elemType);
    } else {
      return null;
    }
  }
}

const plus = (cost: Cost, pointers: number, name: string): Cost => [
  cost[0] + pointers,
  cost[1] + (name === '' ? 0 : 1),
  cost[2] + name.length,
];

const isBefore = (a: Cost, b: Cost) => a[0] - b[0] || a[1] - b[1] || a[2] - b[2];

/** Returns every path that visits no type twice, with members and cost, cheapest first. */
function allPaths(t: TypeTable, from: TypeId, goal: { type: TypeId } | { field: string }) {
  const found: { readonly members: string; readonly cost: Cost }[] = [];
  const walk = (
    at: TypeId,
    visited: ReadonlySet<TypeId>,
    members: readonly string[],
    cost: Cost,
  ) => {
    for (const { name, index, type } of membersOf(t, at)) {
      const next = [...members, `${at}.${index}`];
      if ('field' in goal && name === goal.field) {
        found.push({ members: next.join(' '), cost: plus(cost, 0, name) });
      }
      const end = endOf(t, type);
      if (end === null) continue;
      const total = plus(cost, end.pointers, name);
      if ('type' in goal && end.to === goal.type) {
        found.push({ members: next.join(' '), cost: total });
      } else if (!visited.has(end.to)) {
        walk(end.to, new Set([...visited, end.to]), next, total);
      }
    }
  };
  walk(from, new Set([from]), [], [0, 0, 0]);
  return found.sort((a, b) => isBefore(a.cost, b.cost));
}

const membersOfPath = (path: TypePath) =>
  [...path.members, ...path.field].map(({ type, index }) => `${type}.${index}`).join(' ');

describe('the paths that are found', () => {
  it.each([1, 3, 1000])('are the %i best of all to a type', (limit) => {
    fc.assert(
      fc.property(graph, (g) => {
        const t = typesOf(g);
        const all = allPaths(t, typeId(FIRST + g.from), { type: typeId(FIRST + g.to) });
        expectBest(t, { from: `s${g.from}`, to: `s${g.to}` }, all, limit);
      }),
      { numRuns: runs(300) },
    );
  });

  it.each([2, 1000])('are the %i best of all to a field', (limit) => {
    fc.assert(
      fc.property(graph, (g) => {
        const t = typesOf(g);
        const all = allPaths(t, typeId(FIRST + g.from), { field: 'target' });
        expectBest(t, { from: `s${g.from}`, to: '*.target' }, all, limit);
      }),
      { numRuns: runs(300) },
    );
  });
});

function expectBest(
  t: TypeTable,
  ends: { readonly from: string; readonly to: string },
  all: ReturnType<typeof allPaths>,
  limit: number,
): void {
  const answer = askPaths(buildPathIndex(t), { ...ends, limit, around: false });
  // `askPaths` does not search if no member has the wanted name.
  if (!answer.ok) {
    expect(all).toEqual([]);
    return;
  }
  const costs = new Map(all.map(({ members, cost }) => [members, cost]));
  const found = answer.paths.map(membersOfPath);
  expect(answer.complete).toBe(true);
  expect(new Set(found).size).toBe(found.length);
  expect(found.map((members) => costs.get(members))).toEqual(
    all.slice(0, limit).map(({ cost }) => cost),
  );
}

describe('hostile types', () => {
  it('a chain of 10,000 structs is followed or given up, without a path back', () => {
    const count = 10_000;
    const records: TypeRecord[] = [];
    for (let i = 0; i < count; i++) {
      const next = 2 * ((i + 1) % count) + 1;
      records.push(struct(`s${i}`, 8, [{ name: 'n', type: 2 * i + 2, bitOffset: 0 }]), ptr(next));
    }
    const index = buildPathIndex(tableOf(btfBlob({ types: records }).bytes));
    const ask = (to: string) => askPaths(index, { from: 's0', to, limit: 10, around: true });
    expect(ask('s9999')).toMatchObject({ ok: true, paths: [], complete: false });
    expect(ask('s400')).toMatchObject({ ok: true, complete: true });
    const near = ask('s400');
    expect(near.ok && near.paths.map(({ members }) => members.length)).toEqual([400]);
  });

  it('structs that all point to all others give as many paths as are wanted', () => {
    const count = 150;
    const records: TypeRecord[] = [];
    for (let i = 0; i < count; i++) {
      const members = Array.from({ length: count }, (_, k) => ({
        name: `m${k}`,
        type: count + k + 1,
        bitOffset: 0,
      }));
      records.push(struct(`s${i}`, 8, members));
    }
    for (let i = 0; i < count; i++) records.push(ptr(i + 1));
    const index = buildPathIndex(tableOf(btfBlob({ types: records }).bytes));
    const answer = askPaths(index, { from: 's0', to: 's1', limit: 1000, around: false });
    expect(answer.ok && answer.paths.length).toBe(1000);
  });
});
