import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ByteReader } from '#bytes/byte-reader.ts';
import type { Endian } from '#bytes/span.ts';
import { u32 } from '#testing/assemble.ts';
import { btfBlob } from '#testing/btf-blob.ts';
import {
  array,
  datasec,
  declTag,
  enum64,
  enumeration,
  float,
  func,
  funcProto,
  fwd,
  int,
  modifier,
  record,
  struct,
  typedef,
  typeTag,
  union,
  variable,
} from '#testing/btf-types.ts';
import { contradictions, readBtfHeader, readBtfLayout } from './header.ts';
import { BtfKind, infoKind, infoVlen } from './kinds.ts';
import { walkTypes } from './walk.ts';
import { type BtfEncoding, BtfWriter, type BtfWriterOptions } from './write.ts';
import type { BtfRecord } from './write-records.ts';

const ONE_OF_EACH: readonly BtfRecord[] = [
  { kind: BtfKind.INT, name: 'int', size: 4, encoding: 1, bitOffset: 2, bits: 30 },
  { kind: BtfKind.PTR, type: 4 },
  { kind: BtfKind.ARRAY, elemType: 1, indexType: 1, nelems: 7 },
  {
    kind: BtfKind.STRUCT,
    name: 's',
    kindFlag: true,
    size: 8,
    members: [
      { name: 'a', type: 1, bitOffset: 3, bitfieldSize: 5 },
      { type: 5, bitOffset: 32 },
    ],
  },
  { kind: BtfKind.UNION, size: 4, members: [{ name: 'b', type: 1, bitOffset: 0 }] },
  {
    kind: BtfKind.ENUM,
    name: 'e',
    kindFlag: true,
    size: 4,
    enumerators: [{ name: 'A', value: -1n }],
  },
  { kind: BtfKind.FWD, name: 'f', kindFlag: true },
  { kind: BtfKind.TYPEDEF, name: 't', type: 1 },
  { kind: BtfKind.VOLATILE, type: 1 },
  { kind: BtfKind.CONST, type: 1 },
  { kind: BtfKind.RESTRICT, type: 2 },
  { kind: BtfKind.FUNC, name: 'main', type: 13, linkage: 2 },
  { kind: BtfKind.FUNC_PROTO, type: 1, params: [{ name: 'x', type: 2 }, { type: 0 }] },
  { kind: BtfKind.VAR, name: 'v', type: 1, linkage: 1 },
  {
    kind: BtfKind.DATASEC,
    name: '.bss',
    size: 12,
    secinfos: [{ type: 14, offset: 4, size: 8 }],
  },
  { kind: BtfKind.FLOAT, name: 'double', size: 8 },
  { kind: BtfKind.DECL_TAG, name: 'tag', type: 4, componentIdx: -1 },
  { kind: BtfKind.TYPE_TAG, name: 'user', type: 1 },
  {
    kind: BtfKind.ENUM64,
    name: 'g',
    size: 8,
    enumerators: [{ name: 'B', value: 0xffff_fffe_0000_0001n }],
  },
  { kind: BtfKind.LOC_PARAM, size: 8, flags: 0x38, values: [5, 0x20] },
  { kind: BtfKind.LOC_PROTO, locations: [20, 0] },
  {
    kind: BtfKind.LOCSEC,
    name: 'inline.text',
    sites: [{ func: 12, locProto: 21, offset: 64 }],
  },
];

/** Same types as `ALL`, from the builder of the tests, which does not use the writer. */
const AS_BUILT = [
  int('int', 4, { encoding: 1, bits: 30, bitOffset: 2 }),
  modifier('ptr', 4),
  array(1, 1, 7),
  struct('s', 8, [
    { name: 'a', type: 1, bitOffset: 3, bitfieldSize: 5 },
    { name: '', type: 5, bitOffset: 32 },
  ]),
  union('', 4, [{ name: 'b', type: 1, bitOffset: 0 }]),
  enumeration('e', [['A', -1]], { signed: true }),
  fwd('f', 'union'),
  typedef('t', 1),
  modifier('volatile', 1),
  modifier('const', 1),
  modifier('restrict', 2),
  func('main', 13, 2),
  funcProto(1, [
    ['x', 2],
    ['', 0],
  ]),
  variable('v', 1),
  datasec('.bss', 12, [[14, 4, 8]]),
  float('double', 8),
  declTag('tag', 4),
  typeTag('user', 1),
  enum64('g', [['B', 0xffff_fffe_0000_0001n]]),
  record(20, { vlen: 2, sizeOrType: 8, tail: () => [0x38, 5, 0x20].map(u32) }),
  record(21, { vlen: 2, tail: () => [20, 0].map(u32) }),
  record(22, { name: 'inline.text', vlen: 1, tail: () => [12, 21, 64].map(u32) }),
];

const LAYOUT = [
  [0, 0],
  [4, 0],
  [0, 0],
  [12, 0],
  [0, 12],
  [0, 12],
  [0, 8],
  [0, 0],
  [0, 0],
  [0, 0],
  [0, 0],
  [0, 0],
  [0, 0],
  [0, 8],
  [4, 0],
  [0, 12],
  [0, 0],
  [4, 0],
  [0, 0],
  [0, 12],
  [4, 4],
  [0, 4],
  [0, 12],
].map(([infoSize = 0, elemSize = 0]) => ({ infoSize, elemSize }));

function written(records: readonly BtfRecord[], options: BtfWriterOptions = {}): Uint8Array {
  const writer = new BtfWriter(options);
  for (const one of records) writer.addType(one);
  return writer.finish();
}

function walked(blob: Uint8Array) {
  const reader = new ByteReader(blob, '.BTF');
  const header = readBtfHeader(reader);
  const r = reader.as(header.endian);
  const layout = header.layout === null ? null : readBtfLayout(r, header.layout);
  return { header, r, layout, walk: walkTypes(r, header.types, layout) };
}

describe('every kind, byte for byte equal to the test builder', () => {
  it.each<[Endian, BtfEncoding]>([
    ['little', 'classic'],
    ['big', 'classic'],
    ['little', 'wide'],
    ['big', 'wide'],
  ])('%s-endian, %s', (endian, encoding) => {
    const built = btfBlob({
      types: AS_BUILT,
      endian,
      ...(encoding === 'wide' ? { layout: LAYOUT } : {}),
    });
    expect(written(ONE_OF_EACH, { endian, encoding })).toEqual(built.bytes);
  });
});

it('writes an empty blob that can be read', () => {
  const { header, walk } = walked(written([]));
  expect(header).toMatchObject({ hdrLen: 24, typeLen: 0, strLen: 1 });
  expect(walk).toMatchObject({ count: 0, stop: null });
});

it('the wide encoding describes each kind as it is', () => {
  const { header, layout } = walked(written(ONE_OF_EACH, { encoding: 'wide' }));
  expect(header.hdrLen).toBe(32);
  expect(layout).toHaveLength(23);
  expect(contradictions(layout ?? [])).toEqual([]);
});

it('stores each string once, whether given as text or as bytes', () => {
  const writer = new BtfWriter();
  const off = writer.addString('naïve');
  expect(off).toBe(1);
  expect(writer.addString(new TextEncoder().encode('naïve'))).toBe(off);
  expect(writer.addString('b')).toBe(1 + 'naïve'.length + 2);
  expect(writer.addString('')).toBe(0);
  writer.addType({ kind: BtfKind.FWD, name: off });
  expect(walked(writer.finish()).header.strLen).toBe(1 + 7 + 2);
});

it('preserves bytes that are not UTF-8', () => {
  const blob = written([{ kind: BtfKind.FWD, name: new Uint8Array([0xff, 0xfe]) }]);
  expect([...blob.subarray(-4)]).toEqual([0, 0xff, 0xfe, 0]);
});

it('split BTF counts ids and strings on from its base', () => {
  const writer = new BtfWriter({ base: { firstId: 100, strLen: 50 } });
  expect(writer.addType({ kind: BtfKind.FWD, name: 'own' })).toBe(100);
  expect(writer.addType({ kind: BtfKind.TYPEDEF, name: 49, type: 99 })).toBe(101);
  const blob = writer.finish();
  expect(blob).toEqual(
    btfBlob({ types: [fwd('own'), typedef(49, 99)], baseStringLength: 50 }).bytes,
  );
});

describe('refuses unreadable records and names the field', () => {
  const long = (length: number) => Array.from({ length }, () => ({ type: 1 }));
  it.each<[string, BtfRecord]>([
    ['vlen', { kind: BtfKind.FUNC_PROTO, type: 0, params: long(0x10000) }],
    ['linkage', { kind: BtfKind.FUNC, name: 'f', type: 1, linkage: 0x10000 }],
    ['name_off', { kind: BtfKind.FWD, name: 1 }],
    ['name_off', { kind: BtfKind.FWD, name: 'a\0b' }],
    ['name_off', { kind: BtfKind.FWD, name: -1 }],
    ['size', { kind: BtfKind.FLOAT, size: 2 ** 32 }],
    ['size', { kind: BtfKind.FLOAT, size: 1.5 }],
    ['type', { kind: BtfKind.PTR, type: -1 }],
    ['nelems', { kind: BtfKind.ARRAY, elemType: 1, indexType: 1, nelems: 2 ** 32 }],
    ['nr_bits', { kind: BtfKind.INT, size: 4, encoding: 0, bitOffset: 0, bits: 256 }],
    ['encoding', { kind: BtfKind.INT, size: 4, encoding: 16, bitOffset: 0, bits: 8 }],
    ['component_idx', { kind: BtfKind.DECL_TAG, type: 1, componentIdx: 2 ** 31 }],
    [
      'member bits_offset',
      {
        kind: BtfKind.STRUCT,
        kindFlag: true,
        size: 4,
        members: [{ type: 1, bitOffset: 0x1000000 }],
      },
    ],
    [
      'member bitfield_size',
      { kind: BtfKind.UNION, size: 4, members: [{ type: 1, bitOffset: 0, bitfieldSize: 1 }] },
    ],
    ['val', { kind: BtfKind.ENUM, size: 4, enumerators: [{ value: -1n }] }],
    ['val', { kind: BtfKind.ENUM, size: 4, kindFlag: true, enumerators: [{ value: 2n ** 31n }] }],
    ['val', { kind: BtfKind.ENUM64, size: 8, enumerators: [{ value: 2n ** 64n }] }],
  ])('%s', (field, one) => {
    const writer = new BtfWriter();
    writer.addType({ kind: BtfKind.INT, size: 4, encoding: 0, bitOffset: 0, bits: 32 });
    const before = writer.finish();
    expect(() => writer.addType(one)).toThrow(RangeError);
    expect(() => writer.addType(one)).toThrow(new RegExp(`^${field}\\b`));
    expect(writer.nextId).toBe(2);
    expect(writer.finish()).toEqual(before);
  });

  it('a reference to a missing type', () => {
    const writer = new BtfWriter();
    writer.addType({ kind: BtfKind.PTR, type: 2 });
    expect(() => writer.finish()).toThrow(/^type is 2/);
    writer.addType({ kind: BtfKind.PTR, type: 1 });
    expect(walked(writer.finish()).walk.count).toBe(2);
  });

  it('more items than 16 bits count only in the wide encoding', () => {
    const proto: BtfRecord = { kind: BtfKind.FUNC_PROTO, type: 0, params: long(70_000) };
    const { r, walk } = walked(written([proto], { encoding: 'wide' }));
    expect(walk).toMatchObject({ count: 1, stop: null });
    expect(infoVlen(r.u32(32 + 4))).toBe(70_000);
  });
});

const word = fc.integer({ min: 0, max: 0xffffffff });
const name = fc.oneof(fc.constant(''), fc.stringMatching(/^[a-zé_]{1,6}$/));
const aType = fc.integer({ min: 0, max: 3 });
const referenceKind = fc.constantFrom(
  BtfKind.PTR,
  BtfKind.CONST,
  BtfKind.VOLATILE,
  BtfKind.RESTRICT,
  BtfKind.TYPEDEF,
  BtfKind.TYPE_TAG,
);
const anyRecord: fc.Arbitrary<{ record: BtfRecord; built: ReturnType<typeof record> }> = fc.oneof(
  fc.record({ kind: referenceKind, name, type: aType, kindFlag: fc.boolean() }).map((one) => ({
    record: one,
    built: record(one.kind, { name: one.name, kindFlag: one.kindFlag, sizeOrType: one.type }),
  })),
  fc
    .record({
      name,
      size: word,
      members: fc.array(fc.record({ name, type: aType, bitOffset: word }), { maxLength: 4 }),
    })
    .map((one) => ({
      record: { kind: BtfKind.STRUCT, ...one } as const,
      built: struct(one.name, one.size, one.members),
    })),
  fc
    .record({
      name,
      values: fc.array(fc.tuple(name, fc.bigInt({ min: 0n, max: 2n ** 64n - 1n })), {
        maxLength: 4,
      }),
    })
    .map((one) => ({
      record: {
        kind: BtfKind.ENUM64,
        name: one.name,
        size: 8,
        enumerators: one.values.map(([n, value]) => ({ name: n, value })),
      } as const,
      built: enum64(one.name, one.values),
    })),
  fc
    .record({ type: aType, params: fc.array(fc.tuple(name, aType), { maxLength: 4 }) })
    .map((one) => ({
      record: {
        kind: BtfKind.FUNC_PROTO,
        type: one.type,
        params: one.params.map(([n, type]) => ({ name: n, type })),
      } as const,
      built: funcProto(one.type, one.params),
    })),
);

it('writes random records as the builder does, in either byte order', () => {
  fc.assert(
    fc.property(
      fc.array(anyRecord, { minLength: 3, maxLength: 12 }),
      fc.constantFrom<Endian>('little', 'big'),
      (records, endian) => {
        const blob = written(
          records.map((one) => one.record),
          { endian },
        );
        expect(blob).toEqual(btfBlob({ endian, types: records.map((one) => one.built) }).bytes);
        const { r, walk } = walked(blob);
        expect(walk).toMatchObject({ count: records.length, stop: null });
        for (const [i, one] of records.entries()) {
          expect(infoKind(r.u32((walk.recordOff[i] ?? 0) + 4))).toBe(one.record.kind);
        }
      },
    ),
  );
});
