import { describe, expect, it } from 'vitest';
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

/** Returns a map definition with one member of type `type`. `more` follows INT 1. */
async function oneMember(name: string, type: number, more: readonly TypeRecord[]) {
  const id = 2 + more.length;
  const types = [
    int('int', 4, { encoding: 1 }),
    ...more,
    struct('', 8, [{ name, type, bitOffset: 0 }]),
    variable('m', id),
    datasec('.maps', 0, [[id + 1, 0, 8]]),
  ];
  const [map] = btfMaps(await openModel('m.btf', btfBlob({ types }).bytes));
  if (map === undefined) throw new Error('no map');
  return map;
}

describe('a member', () => {
  const big = enum64('', [['name__1', 0x100000001n]]);
  it.each([
    ['type', 3, [array(1, 1, 9), ptr(2)], { mapType: 9, mapTypeName: 'BPF_MAP_TYPE_LRU_HASH' }],
    ['type', 3, [array(1, 1, 999), ptr(2)], { mapType: 999, mapTypeName: 'map type 999' }],
    ['max_entries', 4, [array(1, 1, 7), typedef('t', 2), ptr(3)], { maxEntries: 7n }],
    ['map_extra', 3, [big, ptr(2)], { mapExtra: 0x100000001n }],
    ['map_flags', 3, [enumeration('', [['e', 5]]), ptr(2)], { mapFlags: 5n }],
    ['pinning', 3, [array(1, 1, 1), ptr(2)], { pinning: 1n }],
    ['numa_node', 3, [array(1, 1, 2), ptr(2)], { numaNode: 2n }],
    ['key', 2, [ptr(1)], { key: { type: 1, byteSize: 4 } }],
    ['value', 3, [array(1, 1, 3), ptr(2)], { value: { type: 2, byteSize: 12 } }],
    ['key_size', 3, [array(1, 1, 6), ptr(2)], { key: { type: null, byteSize: 6 } }],
    ['values', 4, [funcProto(1), ptr(2), array(3, 1, 0)], { inner: 'program' }],
  ])('%s says %j', async (name, type, more, attributes) => {
    expect(await oneMember(name, type, more)).toMatchObject({ ...attributes, faults: [] });
  });

  it.each([
    ['key', 1, [], 'key: not a pointer'],
    ['key', 2, [ptr(0)], 'key: its type has no size'],
    ['max_entries', 1, [], 'max_entries: not a number'],
    ['frobnicate', 3, [array(1, 1, 9), ptr(2)], 'frobnicate: not known'],
    ['values', 3, [ptr(1), array(2, 1, 4)], 'values: no array of pointers without a length'],
    ['values', 3, [ptr(1), array(2, 1, 0)], 'values: neither maps nor programs'],
  ])('%s of a wrong type is a fault', async (name, type, more, fault) => {
    expect((await oneMember(name, type, more)).faults).toEqual([fault]);
  });

  it('of a map inside itself is looked at once', async () => {
    const types = [
      int('int', 4),
      ptr(4),
      array(2, 1, 0),
      struct('m', 0, [{ name: 'values', type: 3, bitOffset: 0 }]),
      variable('m', 4),
      datasec('.maps', 0, [[5, 0, 8]]),
    ];
    const [map] = btfMaps(await openModel('m.btf', btfBlob({ types }).bytes));
    expect(map?.inner).toMatchObject({ inner: null, faults: [expect.stringContaining('inside')] });
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
