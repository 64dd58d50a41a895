import { describe, expect, it } from 'vitest';
import { searchTypes, type TypeQuery } from '#analysis/find/type-search.ts';
import { typeId } from '#model/ids.ts';
import { kindFlagOf, nameOf, sizeOrTypeOf, type TypeTable, vlenOf } from '#model/type-table.ts';
import { btfBlob } from '#testing/btf-blob.ts';
import { array, fwd, int, struct, type TypeRecord, union } from '#testing/btf-types.ts';
import { corpusObjects, corpusTargets, isLargeCorpus, readCorpusFile } from '#testing/corpus.ts';
import { goldenOf } from '#testing/goldens.ts';
import { sampleModel } from '#testing/samples.ts';
import { namesOf, tableInFile, tableOf } from '#testing/type-table.ts';
import { paddingBytes, paddingBytesOf, type StructLayout, structLayout } from './struct-layout.ts';
import { findNamedType } from './type-key.ts';

const BASICS = [
  int('int', 4),
  int('char', 1),
  int('', 4, { bits: 3, bitOffset: 5 }),
  array(1, 1, 0),
  fwd('f'),
  array(1, 1, 0xffffffff),
  array(6, 1, 0xffffffff),
];

const layoutOf = (type: TypeRecord) =>
  structLayout(tableOf(btfBlob({ types: [...BASICS, type] }).bytes), typeId(BASICS.length + 1));

/** Returns `name@offset+size` per row, `b` means bit-field, `!` overlap, `>` past the end. */
function brief({ rows }: StructLayout): string {
  return rows
    .map((row) => {
      const marks = [row.isBitfield && 'b', row.overlaps && '!', row.pastEnd && '>'];
      const name = row.kind === 'member' ? row.name : row.kind;
      return `${name}@${row.bitOffset}+${row.bitSize}${marks.filter(Boolean).join('')}`;
    })
    .join(' ');
}

it('lists holes and padding', () => {
  const layout = layoutOf(
    struct('s', 16, [
      { name: 'a', type: 2, bitOffset: 0 },
      { name: 'b', type: 1, bitOffset: 32 },
      { name: 'c', type: 2, bitOffset: 96 },
    ]),
  );
  expect(brief(layout)).toBe('a@0+8 hole@8+24 b@32+32 hole@64+32 c@96+8 padding@104+24');
  expect(layout).toMatchObject({ holes: 2, holeBits: 56, paddingBits: 24, outOfOrder: false });
});

it('lists bit-fields of both encodings', () => {
  const flagged = layoutOf(
    struct('s', 4, [
      { name: 'a', type: 1, bitOffset: 0, bitfieldSize: 3 },
      { name: 'b', type: 1, bitOffset: 8, bitfieldSize: 5 },
      { name: 'c', type: 2, bitOffset: 16, bitfieldSize: 0 },
    ]),
  );
  expect(brief(flagged)).toBe('a@0+3b hole@3+5 b@8+5b hole@13+3 c@16+8 padding@24+8');
  const old = layoutOf(struct('s', 4, [{ name: 'a', type: 3, bitOffset: 8 }]));
  expect(brief(old)).toBe('hole@0+13 a@13+3b padding@16+16');
});

it('sorts members by offset and reports it', () => {
  const layout = layoutOf(
    struct('s', 8, [
      { name: 'late', type: 1, bitOffset: 32 },
      { name: 'early', type: 1, bitOffset: 0 },
    ]),
  );
  expect(brief(layout)).toBe('early@0+32 late@32+32');
  expect(layout.outOfOrder).toBe(true);
  expect(layout.rows.map((row) => row.index)).toEqual([1, 0]);
});

it('reports overlaps and members past the end', () => {
  const layout = layoutOf(
    struct('s', 6, [
      { name: 'a', type: 1, bitOffset: 0 },
      { name: 'b', type: 1, bitOffset: 16 },
      { name: 'c', type: 2, bitOffset: 48 },
    ]),
  );
  expect(brief(layout)).toBe('a@0+32 b@16+32! c@48+8>');
});

it('has 0 bits for types without a size, and clips large sizes', () => {
  const layout = layoutOf(
    struct('s', 4, [
      { name: 'f', type: 5, bitOffset: 0 },
      { name: 'a', type: 1, bitOffset: 0 },
      { name: 'flexible', type: 4, bitOffset: 32 },
      { name: 'huge', type: 7, bitOffset: 32 },
    ]),
  );
  expect(brief(layout)).toBe(`f@0+0 a@0+32 flexible@32+0 huge@32+${Number.MAX_SAFE_INTEGER}>`);
});

it('lets members of a union overlap', () => {
  const layout = layoutOf(
    union('u', 8, [
      { name: 'a', type: 1, bitOffset: 0 },
      { name: 'b', type: 2, bitOffset: 0 },
    ]),
  );
  expect(brief(layout)).toBe('a@0+32 b@0+8 padding@32+32');
  expect(layout.isUnion).toBe(true);
});

it('has no rows for other kinds than structs', () => {
  expect(layoutOf(int('long', 8))).toMatchObject({ rows: [], sizeBytes: 0, holes: 0 });
});

type Gaps = { readonly size: number; readonly holeBits: number; readonly paddingBits: number };

/** Returns pahole's structs by name: size, padding, and holes without those of inner structs. */
function paholeStructs(text: string): ReadonlyMap<string, readonly Gaps[]> {
  const found = new Map<string, Gaps[]>();
  for (const [, name = '', body = ''] of text.matchAll(/^struct (\S+) \{\n([\s\S]*?)^\}/gm)) {
    const sum = (pattern: RegExp) =>
      Array.from(body.matchAll(pattern)).reduce((n, match) => n + Number(match[1]), 0);
    const gaps = {
      size: sum(/^\t\/\* size: (\d+)/gm),
      holeBits: sum(/^\t\/\* XXX (\d+) bits? hole/gm) + 8 * sum(/^\t\/\* XXX (\d+) bytes? hole/gm),
      paddingBits: sum(/^\t\/\* bit_padding: (\d+)/gm) + 8 * sum(/^\t\/\* padding: (\d+)/gm),
    };
    found.set(name, [...(found.get(name) ?? []), gaps]);
  }
  return found;
}

/**
 * Returns true if a member's offset exceeds the 24 bits that kind_flag leaves: clang then
 * overwrites the width, so pahole prints wrong values.
 */
const isTooLarge = (t: TypeTable, id: number) =>
  kindFlagOf(t, typeId(id)) && sizeOrTypeOf(t, typeId(id)) * 8 > 0xffffff;

describe('pahole', () => {
  it.skipIf(!isLargeCorpus)('finds the same holes and padding in every struct', () => {
    const different: string[] = [];
    let compared = 0;
    for (const entry of [...corpusObjects(), ...corpusTargets()]) {
      const golden = goldenOf(entry.id, 'pahole.txt');
      const t = golden?.rc === 0 ? tableInFile(readCorpusFile(entry)) : null;
      if (golden === null || t === null) continue;
      const structs = paholeStructs(golden.text);
      for (let id = t.firstId; id < t.firstId + t.count; id++) {
        const layout = structLayout(t, typeId(id));
        const expected = structs.get(nameOf(t, typeId(id)));
        if (layout.isUnion || expected === undefined || vlenOf(t, typeId(id)) === 0) continue;
        if (layout.rows.length === 0 || isTooLarge(t, id)) continue;
        compared++;
        const same = expected.some(
          (gaps) =>
            gaps.size === layout.sizeBytes &&
            gaps.holeBits === layout.holeBits &&
            gaps.paddingBits === layout.paddingBits,
        );
        if (!same) different.push(`${entry.id} [${id}] ${nameOf(t, typeId(id))}: ${brief(layout)}`);
      }
    }
    expect(different).toEqual([]);
    expect(compared).toBeGreaterThan(1000);
  });
});

const at = (name: string, type: number, bitOffset: number, bitfieldSize = 0) => ({
  name,
  type,
  bitOffset,
  bitfieldSize,
});

const t = tableOf(
  btfBlob({
    types: [
      int('int', 4),
      struct('full', 4, [at('a', 1, 0)]),
      struct('hole', 12, [at('a', 1, 0), at('b', 1, 64)]),
      struct('padded', 16, [at('a', 1, 0)]),
      struct('bits', 4, [at('a', 1, 0, 4), at('b', 1, 8, 24)]),
      struct('unknown', 64, []),
      union('u', 8, [at('a', 1, 0)]),
    ],
  }).bytes,
);

it('counts holes, padding and bits of structs, and of no other kind', () => {
  expect([1, 2, 3, 4, 5, 6, 7].map((id) => paddingBytesOf(t, typeId(id)))).toEqual([
    NaN,
    0,
    4,
    12,
    0.5,
    NaN,
    NaN,
  ]);
  expect([...paddingBytes(t)]).toEqual([NaN, NaN, 4, 12, 0.5, NaN, NaN]);
});

it('sorts the list, without structs that have no unused bytes', async () => {
  const query: TypeQuery = { text: '', kinds: 0, order: 'holes', descending: true };
  const ids = async (part: Partial<TypeQuery>) => [
    ...(await searchTypes(t, { ...query, ...part }, () => namesOf(t))),
  ];
  expect(await ids({})).toEqual([4, 3, 5]);
  expect(await ids({ descending: false })).toEqual([5, 3, 4]);
  expect(await ids({ text: 'o' })).toEqual([3]);
});

it('has no hole after a member whose size is in a base that is not open', async () => {
  const { types } = await sampleModel('module.btf');
  if (types === null) throw new Error('no types');
  const layouts = ['watch_rule', 'watch_stats'].map((name) => {
    return structLayout(types, findNamedType(types, name) ?? typeId(0));
  });
  expect(layouts.map(brief)).toEqual([
    // Only the enum is a type of the module; the hole after it is certain.
    'list@0+0 mode@128+32 session@160+0 @192+0 hits@256+0',
    'rules@0+0 matches@32+24b mode@56+8b last@64+0',
  ]);
  expect(layouts[0]).toMatchObject({ holes: 0, holeBits: 0, paddingBits: 0, unknownSizes: 4 });
  expect(layouts[1]).toMatchObject({ holes: 0, holeBits: 0, paddingBits: 0, unknownSizes: 2 });
  expect(paddingBytes(types).every(Number.isNaN)).toBe(true);
});
