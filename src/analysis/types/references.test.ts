import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { typeId } from '#model/ids.ts';
import type { TypeTable } from '#model/type-table.ts';
import { btfBlob } from '#testing/btf-blob.ts';
import {
  array,
  datasec,
  declTag,
  func,
  funcProto,
  int,
  ptr,
  struct,
  type TypeRecord,
  union,
  variable,
} from '#testing/btf-types.ts';
import { corpusObjects, isLargeCorpus, readCorpusFile } from '#testing/corpus.ts';
import { tableInFile, tableOf } from '#testing/type-table.ts';
import { buildReferrers, referencesOf, referrersIn, referrersOf } from './references.ts';

const TYPES = [
  int('int', 4),
  ptr(1),
  array(2, 1, 4),
  struct('s', 8, [
    { name: 'a', type: 1, bitOffset: 0 },
    { name: 'b', type: 1, bitOffset: 32 },
  ]),
  funcProto(0, [
    ['x', 1],
    ['', 0],
  ]),
  func('f', 5),
  variable('v', 4),
  datasec('.data', 8, [[7, 0, 8]]),
  declTag('mark', 4, 1),
];

const table = (types: readonly TypeRecord[], endian: 'little' | 'big' = 'little') =>
  tableOf(btfBlob({ types, endian }).bytes);

it.each([
  [1, []],
  [2, ['type 1 -1 ']],
  [3, ['element 2 -1 ', 'index 1 -1 ']],
  [4, ['member 1 0 a', 'member 1 1 b']],
  [5, ['return 0 -1 ', 'param 1 0 x', 'param 0 1 ']],
  [6, ['type 5 -1 ']],
  [7, ['type 4 -1 ']],
  [8, ['var 7 0 v']],
  [9, ['target 4 1 ']],
  [99, []],
])('[%i] refers to', (id, expected) => {
  const found = referencesOf(table(TYPES), typeId(id));
  expect(found.map((r) => `${r.role} ${r.type} ${r.index} ${r.name}`)).toEqual(expected);
});

it('stops at the limit', () => {
  expect(referencesOf(table(TYPES), typeId(4), 1)).toHaveLength(1);
});

it.each(['little', 'big'] as const)('finds referrers once each, %s-endian', (endian) => {
  const index = buildReferrers(table(TYPES, endian));
  const all = Array.from({ length: 11 }, (_, id) => Array.from(referrersIn(index, typeId(id))));
  expect(all).toEqual([[5], [2, 3, 4, 5], [3], [], [7, 9], [6], [], [8], [], [], []]);
});

it('keeps the index small where the file claims a base of billions of types', () => {
  const t: TypeTable = { ...table([ptr(4_000_000_002), ptr(1)]), firstId: 4_000_000_001 };
  const index = buildReferrers(t);
  expect(index.starts).toHaveLength(3);
  expect(Array.from(referrersIn(index, typeId(4_000_000_002)))).toEqual([4_000_000_001]);
  expect(Array.from(referrersIn(index, typeId(1)))).toEqual([]);
});

/** Returns the types that refer to `to`, by reading each reference through the accessors. */
function slowReferrers(t: TypeTable, to: number): number[] {
  const found: number[] = [];
  for (let id = t.firstId; id < t.firstId + t.count; id++) {
    if (referencesOf(t, typeId(id)).some((reference) => reference.type === to)) found.push(id);
  }
  return found;
}

it('agrees with the references, whatever the types', () => {
  const id = fc.nat(12);
  const members = fc.array(
    id.map((type) => ({ name: 'm', type, bitOffset: 0 })),
    { maxLength: 5 },
  );
  const record = fc.oneof(
    id.map(ptr),
    fc.tuple(id, id).map(([elem, index]) => array(elem, index, 2)),
    members.map((list) => struct('s', 4, list)),
    members.map((list) => union('u', 4, list)),
    fc.tuple(id, fc.array(id, { maxLength: 4 })).map(([result, params]) =>
      funcProto(
        result,
        params.map((type) => ['p', type] as const),
      ),
    ),
    fc.array(id, { maxLength: 4 }).map((vars) =>
      datasec(
        '.bss',
        4,
        vars.map((type) => [type, 0, 4] as const),
      ),
    ),
  );
  fc.assert(
    fc.property(fc.array(record, { maxLength: 10 }), (types) => {
      const t = table(types);
      const index = buildReferrers(t);
      for (let to = 0; to <= types.length; to++) {
        const expected = slowReferrers(t, to);
        expect(Array.from(referrersIn(index, typeId(to)))).toEqual(expected);
        expect(Array.from(referrersOf(t, typeId(to)))).toEqual(expected);
      }
    }),
  );
});

describe('corpus', () => {
  it('agrees with the references in real objects', () => {
    const [first] = corpusObjects().filter(
      ({ group }) => group === (isLargeCorpus ? 'debian-libbpf-tools' : 'prog'),
    );
    const t = first === undefined ? null : tableInFile(readCorpusFile(first));
    if (t === null) throw new Error('no object with types');
    const index = buildReferrers(t);
    for (let to = 0; to <= t.count; to++) {
      expect(Array.from(referrersIn(index, typeId(to)))).toEqual(slowReferrers(t, to));
    }
  });
});
