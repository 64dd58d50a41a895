/** Runs every query and printer on every type of hostile graphs. Each must return quickly. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { searchTypes } from '#analysis/find/type-search.ts';
import { layoutGraph } from '#analysis/graph/scene.ts';
import { buildReferrers, referencesOf, referrersIn } from '#analysis/types/references.ts';
import { alignOf, approximateSizes, pointerSize, sizeOf } from '#analysis/types/sizes.ts';
import { structLayout } from '#analysis/types/struct-layout.ts';
import { kindHistogram } from '#analysis/types/type-census.ts';
import { findTypeKey, typeKeyOf } from '#analysis/types/type-key.ts';
import { typeExpression, typeTitle } from '#analysis/types/type-name.ts';
import { type TypeId, typeId } from '#model/ids.ts';
import { hasType, type TypeTable } from '#model/type-table.ts';
import { btfBlob } from '#testing/btf-blob.ts';
import {
  array,
  datasec,
  declTag,
  enumeration,
  func,
  funcProto,
  fwd,
  int,
  modifier,
  ptr,
  struct,
  typedef,
  typeTag,
  union,
  variable,
} from '#testing/btf-types.ts';
import { corpusEdges, readCorpusFile } from '#testing/corpus.ts';
import { runs } from '#testing/runs.ts';
import { namesOf, tableOf } from '#testing/type-table.ts';
import { rawRecord } from './btf-dump.ts';
import { cDeclaration } from './c-dump/c-declaration.ts';

/** Runs every query and printer on one type. */
function askAll(t: TypeTable, id: TypeId): void {
  expect(sizeOf(t, id) ?? 0n).toBeGreaterThanOrEqual(0n);
  expect([0, 1, 2, 3, 4, 5, 6, 7, 8]).toContain(alignOf(t, id));
  expect(typeExpression(t, id).length).toBeLessThanOrEqual(201);
  expect(typeTitle(t, id)).not.toBe('');
  expect(structLayout(t, id).rows.every(({ bitOffset }) => bitOffset >= 0)).toBe(true);
  const options = { selected: id, depth: 3, open: '', hide: 'none', path: [], forced: [] };
  expect(layoutGraph(t, options, 50).boxes.type.length).toBeLessThanOrEqual(50);
  expect(cDeclaration(t, id)).not.toBe('');
  expect(rawRecord(t, id) === '').toBe(!hasType(t, id));
  if (hasType(t, id)) expect(findTypeKey(t, typeKeyOf(t, id))).toBe(id);
}

async function askAboutTable(t: TypeTable): Promise<void> {
  expect([4, 8]).toContain(pointerSize(t));
  expect(approximateSizes(t)).toHaveLength(t.count);
  expect(kindHistogram(t).reduce((sum, row) => sum + row.count, 0)).toBe(t.count);
  for (const order of ['id', 'name', 'size'] as const) {
    const query = { text: '', kinds: 0, order, descending: true };
    const matches = await searchTypes(t, query, () => namesOf(t));
    expect(new Set(matches).size).toBe(t.count);
  }
}

const anyId = fc.oneof({ weight: 8, arbitrary: fc.nat(12) }, fc.constantFrom(99, 0xffffffff));
const anyName = fc.constantFrom('', '', 'a', 'b', 'task', '\u202e*/', 0xfffffff0);
const anyMembers = fc.array(
  fc.record({
    name: anyName,
    type: anyId,
    bitOffset: fc.oneof(fc.nat(64), fc.nat(0xffffff)),
    bitfieldSize: fc.constantFrom(0, 0, 1, 7, 255),
  }),
  { maxLength: 5 },
);
const named = fc.array(fc.tuple(anyName, anyId), { maxLength: 4 });

const anyType = fc.oneof(
  fc
    .record({ name: anyName, size: fc.constantFrom(0, 1, 3, 4, 8, 16) })
    .map((x) => int(x.name, x.size)),
  anyId.map(ptr),
  fc
    .tuple(fc.constantFrom('const' as const, 'volatile' as const), anyId)
    .map(([kind, id]) => modifier(kind, id)),
  fc.tuple(anyName, anyId).map(([name, id]) => typedef(name, id)),
  fc.tuple(anyName, anyId).map(([name, id]) => typeTag(name, id)),
  fc
    .tuple(anyId, anyId, fc.constantFrom(0, 3, 0xffffffff))
    .map(([elem, index, n]) => array(elem, index, n)),
  fc
    .tuple(anyName, fc.nat(40), anyMembers)
    .map(([name, size, members]) => struct(name, size, members)),
  fc
    .tuple(anyName, fc.nat(40), anyMembers)
    .map(([name, size, members]) => union(name, size, members)),
  fc.tuple(anyId, named).map(([result, params]) => funcProto(result, params)),
  fc.tuple(anyName, anyId, fc.nat(4)).map(([name, id, linkage]) => func(name, id, linkage)),
  fc.tuple(anyName, anyId, fc.nat(4)).map(([name, id, linkage]) => variable(name, id, linkage)),
  fc.tuple(anyName, named).map(([name, vars]) =>
    datasec(
      name,
      8,
      vars.map(([, id]) => [id, 0, 4]),
    ),
  ),
  fc
    .tuple(anyName, anyId, fc.integer({ min: -2, max: 3 }))
    .map(([name, id, idx]) => declTag(name, id, idx)),
  anyName.map((name) => fwd(name)),
  anyName.map((name) => enumeration(name, [['A', 1]])),
);

it('answers for any graph of types', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(anyType, { maxLength: 12 }), async (types) => {
      const t = tableOf(btfBlob({ types }).bytes);
      await askAboutTable(t);
      for (const id of [0, ...types.keys(), types.length, 99, -1, 2 ** 40, NaN])
        askAll(t, typeId(id));
    }),
    { numRuns: runs(300) },
  );
});

it('repeats a struct only up to the limit', () => {
  const level = (i: number) =>
    struct('', 8, [
      { name: '', type: i + 2, bitOffset: 0 },
      { name: '', type: i + 2, bitOffset: 0 },
    ]);
  const types = [...Array.from({ length: 64 }, (_, i) => level(i)), int('int', 4)];
  askAll(tableOf(btfBlob({ types }).bytes), typeId(1));
});

it('handles a shared name of a megabyte', async () => {
  const strings = new Uint8Array(1 << 20).fill(0x62);
  strings[0] = 0;
  const members = Array.from({ length: 50 }, () => ({ name: 1, type: 1, bitOffset: 0 }));
  const t = tableOf(btfBlob({ types: [int(1, 4), struct(1, 4, members)], strings }).bytes);
  await askAboutTable(t);
  askAll(t, typeId(2));
});

describe('the corpus’s edge', () => {
  const edges = corpusEdges();
  it.each(
    edges
      .filter((edge) => edge.kind === 'btf' && edge.accept !== 'refuse' && edge.base === null)
      .map((edge) => [edge.name, edge] as const),
  )(
    '%s',
    async (_name, edge) => {
      const t = tableOf(readCorpusFile(edge));
      await askAboutTable(t);
      const referrers = buildReferrers(t);
      const step = Math.max(1, Math.floor(t.count / 12));
      for (let id = 0; id <= t.count; id += step) {
        askAll(t, typeId(id));
        const missed = [...referencesOf(t, typeId(id), 100)].filter(
          ({ type }) => hasType(t, type) && !referrersIn(referrers, type).includes(typeId(id)),
        );
        expect(missed).toEqual([]);
      }
      askAll(t, typeId(t.count));
    },
    30_000,
  );
});
