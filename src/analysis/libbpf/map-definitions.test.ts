import { describe, expect, it } from 'vitest';
import { mapType } from '#analysis/kernel/map-types.ts';
import { btfBlob } from '#testing/btf-blob.ts';
import type { TypeRecord } from '#testing/btf-types.ts';
import {
  array,
  datasec,
  enum64,
  enumeration,
  funcProto,
  int,
  ptr,
  struct,
  typedef,
  variable,
} from '#testing/btf-types.ts';
import { corpusObjects, isLargeCorpus, readCorpusFile } from '#testing/corpus.ts';
import { openModel } from '#testing/open-model.ts';
import { sampleModel } from '#testing/samples.ts';
import { btfMaps, type MapDefinition } from './map-definitions.ts';
import { errnoNumber, type Failure, failureText } from './outcome.ts';

/** Number of `type` in the definitions of this test; absent if it is null. */
type MapType = 'ARRAY' | 'PROG_ARRAY' | 'ARRAY_OF_MAPS' | null;

/**
 * Returns a map definition with `type` and one more member, of type `type`. `more` follows INT 1.
 */
async function oneMember(
  name: string,
  type: number,
  more: readonly TypeRecord[],
  of: MapType = 'ARRAY',
) {
  const id = 2 + more.length;
  const members = [{ name, type, bitOffset: 64 }];
  const types = [
    int('int', 4, { encoding: 1 }),
    ...more,
    array(1, 1, of === null ? 0 : mapType(of)),
    ptr(id),
    struct(
      '',
      16,
      of === null ? members : [{ name: 'type', type: id + 1, bitOffset: 0 }, ...members],
    ),
    variable('m', id + 2),
    datasec('.maps', 0, [[id + 3, 0, 16]]),
  ];
  const [map] = btfMaps(await openModel('m.btf', btfBlob({ types }).bytes));
  if (map === undefined) throw new Error('no map');
  return map;
}

const texts = (faults: readonly Failure[]) =>
  faults.map((fault) => `${failureText(fault)} ${errnoNumber(fault)}`);

describe('a member', () => {
  const big = enum64('', [['name__1', 0x100000001n]]);
  it.each([
    ['type', 3, [array(1, 1, 9), ptr(2)], { mapType: 9, mapTypeName: 'BPF_MAP_TYPE_LRU_HASH' }],
    ['type', 3, [array(1, 1, 999), ptr(2)], { mapType: 999, mapTypeName: 'map type 999' }],
    ['max_entries', 4, [array(1, 1, 7), typedef('t', 2), ptr(2)], { maxEntries: 7n }],
    ['max_entries', 4, [array(1, 1, 7), ptr(2), typedef('t', 3)], { maxEntries: 7n }],
    ['map_extra', 2, [big], { mapExtra: 0x100000001n }],
    ['map_extra', 3, [enumeration('', [['e', -1]]), typedef('t', 2)], { mapExtra: 2n ** 64n - 1n }],
    ['map_extra', 3, [array(1, 1, 6), ptr(2)], { mapExtra: 6n }],
    ['pinning', 3, [array(1, 1, 1), ptr(2)], { pinning: 1n }],
    ['numa_node', 3, [array(1, 1, 2), ptr(2)], { numaNode: 2n }],
    ['key', 2, [ptr(1)], { key: { type: 1, byteSize: 4 } }],
    ['value', 3, [array(1, 1, 3), ptr(2)], { value: { type: 2, byteSize: 12 } }],
    ['key_size', 3, [array(1, 1, 6), ptr(2)], { key: { type: null, byteSize: 6 } }],
  ])('%s says %j', async (name, type, more, attributes) => {
    expect(await oneMember(name, type, more)).toMatchObject({ ...attributes, faults: [] });
  });

  it('values says what the slots hold', async () => {
    const programs = [funcProto(1), ptr(2), array(3, 1, 0)];
    const value = { type: null, byteSize: 4 };
    expect(await oneMember('values', 4, programs, 'PROG_ARRAY')).toMatchObject({
      inner: 'program',
      value,
      faults: [],
    });
    const inner = [
      array(1, 1, 1),
      ptr(2),
      struct('', 8, [{ name: 'type', type: 3, bitOffset: 0 }]),
      ptr(4),
      array(5, 1, 0),
    ];
    expect(await oneMember('values', 6, inner, 'ARRAY_OF_MAPS')).toMatchObject({
      inner: { mapType: 1, faults: [] },
      value,
      faults: [],
    });
  });

  const programs = [funcProto(1), ptr(2), array(3, 1, 0)];
  it.each<[string, number, TypeRecord[], string, MapType?]>([
    ['key', 1, [], 'key spec is not PTR: int. -22'],
    ['key', 3, [ptr(1), typedef('t', 2)], 'key spec is not PTR: typedef. -22'],
    ['key', 2, [ptr(0)], "can't determine key size for type [0]: -22. -22"],
    ['value', 3, [array(1, 1, 1 << 30), ptr(2)], "can't determine value size for type [2]: -7. -7"],
    ['max_entries', 1, [], "attr 'max_entries': expected PTR, got int. -22"],
    ['max_entries', 2, [ptr(0)], "attr 'max_entries': expected ARRAY, got void. -22"],
    [
      'map_flags',
      2,
      [enumeration('', [['e', 5]])],
      "attr 'map_flags': expected PTR, got enum. -22",
    ],
    ['map_extra', 1, [], "attr 'map_extra': expected ENUM or ENUM64, got int. -22"],
    ['map_extra', 2, [enumeration('', [])], "attr 'map_extra': invalid __ulong -22"],
    ['pinning', 3, [array(1, 1, 16), ptr(2)], 'invalid pinning value 16. -22'],
    ['frobnicate', 3, [array(1, 1, 9), ptr(2)], "unknown field 'frobnicate'. -95"],
    ['', 3, [array(1, 1, 9), ptr(2)], "unknown field ''. -95"],
    ['type', 3, [array(1, 1, 0), ptr(2)], "map type isn't specified. -22", null],
    ['values', 4, programs, 'should be map-in-map or prog-array. -95'],
    [
      'values',
      4,
      programs,
      'map-in-map inner def is of unexpected kind func_proto. -22',
      'ARRAY_OF_MAPS',
    ],
    [
      'values',
      3,
      [ptr(1), array(2, 1, 4)],
      'prog-array value spec is not a zero-sized array. -22',
      'PROG_ARRAY',
    ],
    [
      'values',
      3,
      [ptr(0), array(2, 1, 0)],
      'prog-array value def is of unexpected kind void. -22',
      'PROG_ARRAY',
    ],
    [
      'values',
      2,
      [array(1, 1, 0)],
      'map-in-map inner def is of unexpected kind int. -22',
      'ARRAY_OF_MAPS',
    ],
  ])('%s of type %i is a fault', async (name, type, more, line, of) => {
    const { faults } = await oneMember(name, type, more, of);
    expect(texts(faults)).toEqual([`map 'm': ${line}`]);
  });

  it('of a map inside itself is read once', async () => {
    const types = [
      int('int', 4),
      ptr(6),
      array(2, 1, 0),
      array(1, 1, 12),
      ptr(4),
      struct('m', 8, [
        { name: 'type', type: 5, bitOffset: 0 },
        { name: 'values', type: 3, bitOffset: 64 },
      ]),
      variable('m', 6),
      datasec('.maps', 0, [[7, 0, 8]]),
    ];
    const [map] = btfMaps(await openModel('m.btf', btfBlob({ types }).bytes));
    if (map?.inner === undefined || map.inner === null || map.inner === 'program')
      throw new Error('no inner map');
    expect([texts(map.faults), map.inner.inner]).toEqual([[], null]);
    expect(texts(map.inner.faults)).toEqual([
      "map 'm.inner': multi-level inner maps not supported. -95",
    ]);
  });
});

describe('a variable', () => {
  const types = (linkage: number, of: number, size = 8) => [
    int('int', 4),
    array(1, 1, 2),
    ptr(2),
    struct('', 8, [{ name: 'type', type: 3, bitOffset: 0 }]),
    variable('m', of, linkage),
    datasec('.maps', 0, [[5, 0, size]]),
  ];
  it.each([
    [types(1, 4), []],
    [types(0, 4), ["map 'm': unsupported map linkage static. -95"]],
    [types(7, 4), ["map 'm': unsupported map linkage unknown. -95"]],
    [types(1, 1), ["map 'm': unexpected def kind var. -22"]],
    [types(1, 4, 7), ["map 'm': invalid def size. -22"]],
  ])('%# has the faults %j', async (records, faults) => {
    const [map] = btfMaps(await openModel('m.btf', btfBlob({ types: records }).bytes));
    expect(texts(map?.faults ?? [])).toEqual(faults);
  });
});

it('is read out of an example in both byte orders', async () => {
  for (const file of ['data_relocs.bpf.o', 'data_relocs.be.bpf.o']) {
    expect(btfMaps(await sampleModel(file))).toMatchObject([
      { name: 'sums', mapType: 2, key: { byteSize: 4 }, value: { byteSize: 8 }, maxEntries: 16n },
    ]);
  }
});

describe('maps with initial slots', () => {
  it.skipIf(!isLargeCorpus)('name the maps and programs in them', async () => {
    const object = corpusObjects().find(({ id }) => id === 'hand__maps_btf');
    if (object === undefined) throw new Error('no such object');
    const maps = btfMaps(await openModel(object.name, readCorpusFile(object)));
    const slots = (wanted: string): MapDefinition['slots'] | undefined =>
      maps.find(({ name }) => name === wanted)?.slots;
    expect(slots('outer_arr')).toMatchObject([
      { index: 0, name: 'inner1' },
      { index: 2, name: 'inner2' },
    ]);
    expect(slots('progs')).toMatchObject([{ index: 1, name: 'prog_tc' }]);
  });
});
