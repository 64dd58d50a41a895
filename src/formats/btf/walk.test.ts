import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ByteReader } from '#bytes/byte-reader.ts';
import { Malformed } from '#bytes/issue.ts';
import { u32, zeros } from '#testing/assemble.ts';
import { type BtfSpec, btfBlob, type LayoutEntry } from '#testing/btf-blob.ts';
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
  ptr,
  record,
  struct,
  type TypeRecord,
  typedef,
  typeTag,
  union,
  variable,
} from '#testing/btf-types.ts';
import { contradictions, readBtfHeader, readBtfLayout } from './header.ts';
import { type Walk, walkTypes } from './walk.ts';

const everyKind: readonly TypeRecord[] = [
  int('int', 4),
  ptr(1),
  array(1, 1, 4),
  struct('s', 8, [
    { name: 'a', type: 1, bitOffset: 0 },
    { name: 'b', type: 1, bitOffset: 32 },
  ]),
  union('u', 4, [{ name: 'a', type: 1, bitOffset: 0 }]),
  enumeration('e', [
    ['A', 0],
    ['B', 1],
    ['C', 2],
  ]),
  fwd('f'),
  typedef('t', 1),
  modifier('volatile', 1),
  modifier('const', 1),
  modifier('restrict', 2),
  func('fn', 13),
  funcProto(1, [
    ['x', 1],
    ['', 0],
  ]),
  variable('v', 1),
  datasec('.data', 4, [[14, 0, 4]]),
  float('float', 4),
  declTag('tag', 4, 1),
  typeTag('rcu', 1),
  enum64('e64', [['BIG', 1n << 40n]]),
];

/** Returns a record of an unknown kind: one word, then two words for each item. */
const future = (kind: number, vlen = 0) =>
  record(kind, {
    name: 'future',
    vlen,
    tail: () => [u32(0xffffffff), ...Array.from({ length: 2 * vlen }, () => u32(7))],
  });

/** Returns a layout of the kinds up to `last`. Kinds from 23 on have the sizes of `future`. */
function layoutUpTo(last: number, change: Partial<LayoutEntry> = {}): LayoutEntry[] {
  return Array.from({ length: last + 1 }, (_, kind) =>
    kind < 23 ? { infoSize: 0, elemSize: 0 } : { infoSize: 4, elemSize: 8, ...change },
  );
}

function walk(spec: BtfSpec): { walk: Walk; typeOffsets: readonly number[] } {
  const blob = btfBlob(spec);
  const reader = new ByteReader(blob.bytes, '.BTF');
  const header = readBtfHeader(reader);
  const r = reader.as(header.endian);
  const layout = header.layout === null ? null : readBtfLayout(r, header.layout);
  return { walk: walkTypes(r, header.types, layout), typeOffsets: blob.typeOffsets };
}

describe('walkTypes', () => {
  it.each(['little', 'big'] as const)('finds every record, %s-endian', (endian) => {
    const found = walk({ types: everyKind, endian });
    expect(found.walk).toMatchObject({ count: 19, stop: null, unknown: [] });
    expect([...found.walk.recordOff.slice(0, -1)]).toEqual(found.typeOffsets);
  });

  it('ends the last record where the type section ends', () => {
    const { walk: found } = walk({ types: [int('int', 4), ptr(1)] });
    expect([...found.recordOff]).toEqual([24, 40, 52]);
  });

  it('reads 70,000 members: vlen has 24 bits', () => {
    const wide = record(4, { vlen: 70_000, tail: () => [zeros(840_000)] });
    const { walk: found } = walk({ types: [wide, int('int', 4)] });
    expect([...found.recordOff]).toEqual([24, 24 + 12 + 840_000, 24 + 12 + 840_000 + 16]);
  });

  it('has no types in an empty section', () => {
    const { walk: found } = walk({ types: [] });
    expect([found.count, [...found.recordOff], found.stop]).toEqual([0, [24], null]);
  });

  it('steps over unknown kinds by the layout and returns them', () => {
    const types = [int('int', 4), future(23), future(127, 3), ptr(1), future(23, 1)];
    const found = walk({ types, layout: layoutUpTo(127) });
    expect(found.walk).toMatchObject({
      count: 5,
      stop: null,
      unknown: [
        { kind: 23, count: 2, firstIndex: 1 },
        { kind: 127, count: 1, firstIndex: 2 },
      ],
    });
    expect([...found.walk.recordOff.slice(0, -1)]).toEqual(found.typeOffsets);
  });

  it('continues after kind 0, which has only its 12 bytes without a layout', () => {
    const { walk: found } = walk({ types: [record(0, { vlen: 5 }), int('int', 4)] });
    expect(found).toMatchObject({ count: 2, unknown: [{ kind: 0, count: 1, firstIndex: 0 }] });
  });

  it('ignores a layout that changes the size of a known kind', () => {
    const layout = layoutUpTo(22).map(() => ({ infoSize: 8, elemSize: 8 }));
    const found = walk({ types: everyKind, layout });
    expect([...found.walk.recordOff.slice(0, -1)]).toEqual(found.typeOffsets);
  });

  it.each<[string, BtfSpec, Partial<Walk['stop']> & object]>([
    ['no layout', { types: [int('int', 4), future(23)] }, { cause: 'no-layout', kind: 23 }],
    [
      'kind outside the layout',
      { types: [int('int', 4), future(25)], layout: layoutUpTo(24) },
      { cause: 'outside-layout', kind: 25 },
    ],
    [
      'info_sz not a multiple of 4',
      { types: [int('int', 4), future(23)], layout: layoutUpTo(23, { infoSize: 3 }) },
      { cause: 'odd-layout', kind: 23 },
    ],
    [
      'elem_sz not a multiple of 4',
      { types: [int('int', 4), future(23)], layout: layoutUpTo(23, { elemSize: 2 }) },
      { cause: 'odd-layout', kind: 23 },
    ],
    [
      'more items than there are bytes',
      { types: [int('int', 4), record(4, { vlen: 65_537 })] },
      { cause: 'past-end', kind: 4, vlen: 65_537, length: 786_456, left: 12 },
    ],
    [
      'less than 12 bytes left',
      { types: [int('int', 4), ptr(1)], header: { typeLen: 24 } },
      { cause: 'past-end', kind: 0, left: 8, length: 0 },
    ],
  ])('stops: %s', (_name, spec, stop) => {
    const { walk: found } = walk(spec);
    expect(found.count).toBe(1);
    expect(found.stop).toMatchObject(stop);
    expect(found.stop?.offset).toBe(found.recordOff[1]);
  });

  it('rejects a type section outside the blob', () => {
    const reader = new ByteReader(new Uint8Array(24), '.BTF');
    expect(() => walkTypes(reader, { start: 24, end: 25 }, null)).toThrow(Malformed);
  });

  it('returns ascending offsets inside the section, whatever the bytes', () => {
    fc.assert(
      fc.property(
        fc.uint8Array({ minLength: 0, maxLength: 400 }),
        fc.boolean(),
        (bytes, little) => {
          const reader = new ByteReader(bytes, 'x', little ? 'little' : 'big');
          const { count, recordOff, stop } = walkTypes(
            reader,
            { start: 0, end: bytes.length },
            null,
          );
          expect(recordOff).toHaveLength(count + 1);
          for (let i = 0; i < count; i++) {
            expect(recordOff[i + 1] ?? 0).toBeGreaterThanOrEqual((recordOff[i] ?? 0) + 12);
          }
          const end = recordOff[count] ?? -1;
          expect(stop === null ? end : stop.offset + stop.left).toBe(bytes.length);
          expect(stop?.offset ?? end).toBe(end);
        },
      ),
    );
  });
});

describe('readBtfLayout', () => {
  it.each(['little', 'big'] as const)('reads entries, %s-endian', (endian) => {
    const { bytes, layoutOffset } = btfBlob({
      endian,
      layout: [
        { infoSize: 0, elemSize: 0 },
        { infoSize: 4, elemSize: 12, flags: 0x8001 },
      ],
    });
    const reader = new ByteReader(bytes, '.BTF', endian);
    expect(readBtfLayout(reader, { start: layoutOffset, end: layoutOffset + 8 })).toEqual([
      { kind: 0, infoSz: 0, elemSz: 0, flags: 0, offset: layoutOffset },
      { kind: 1, infoSz: 4, elemSz: 12, flags: 0x8001, offset: layoutOffset + 4 },
    ]);
  });

  it('reads 128 entries at most: kind has 7 bits', () => {
    const reader = new ByteReader(new Uint8Array(4000), '.BTF');
    expect(readBtfLayout(reader, { start: 0, end: 4000 })).toHaveLength(128);
  });

  it('finds entries that contradict a known kind', () => {
    const reader = new ByteReader(Uint8Array.of(0, 0, 0, 0, 8, 0, 0, 0, 0, 0, 0, 0), '.BTF');
    expect(contradictions(readBtfLayout(reader, { start: 0, end: 12 }))).toMatchObject([
      { kind: 1, infoSz: 8 },
    ]);
  });
});
