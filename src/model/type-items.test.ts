import { describe, expect, it } from 'vitest';
import { ByteReader } from '#bytes/byte-reader.ts';
import { readBtfHeader } from '#formats/btf/header.ts';
import { walkTypes } from '#formats/btf/walk.ts';
import { type BtfSpec, btfBlob } from '#testing/btf-blob.ts';
import {
  datasec,
  enum64,
  enumeration,
  funcProto,
  int,
  record,
  struct,
  type TypeRecord,
  union,
} from '#testing/btf-types.ts';
import { typeId } from './ids.ts';
import {
  enumeratorsOf,
  isComposite,
  memberAt,
  memberCount,
  membersOf,
  paramsOf,
  varSecinfosOf,
} from './type-items.ts';
import type { TypeTable } from './type-table.ts';

function of(types: readonly TypeRecord[], more: BtfSpec = {}): TypeTable {
  const { bytes } = btfBlob({ types, ...more });
  const reader = new ByteReader(bytes, '.BTF');
  const { endian, types: extent, strings } = readBtfHeader(reader);
  const { count, recordOff } = walkTypes(reader.as(endian), extent, null);
  return {
    blob: bytes,
    endian,
    fileOffset: 0,
    firstId: 1,
    count,
    recordOff,
    strStart: strings.start,
    strEnd: strings.end,
    strBase: 0,
    pointerBytes: null,
    split: false,
    base: null,
  };
}

const one = typeId(1);
const orders = ['little', 'big'] as const;

describe('members', () => {
  const plain = struct('s', 16, [
    { name: 'a', type: 2, bitOffset: 0 },
    { name: '', type: 3, bitOffset: 0x1000020 },
  ]);
  const fields = struct('s', 16, [
    { name: 'a', type: 2, bitOffset: 5, bitfieldSize: 3 },
    { name: 'b', type: 2, bitOffset: 0xffffff, bitfieldSize: 255 },
    { name: 'c', type: 2, bitOffset: 64 },
  ]);

  it.each(orders)('have the whole word as offset without kind_flag, %s-endian', (endian) => {
    expect(membersOf(of([plain], { endian }), one)).toMatchObject([
      { index: 0, name: 'a', type: 2, bitOffset: 0, bitfieldSize: 0 },
      { index: 1, name: '', nameOff: 0, type: 3, bitOffset: 0x1000020, bitfieldSize: 0 },
    ]);
  });

  it.each(orders)('have 24 bits of offset and 8 of width with kind_flag, %s-endian', (endian) => {
    expect(membersOf(of([fields], { endian }), one)).toMatchObject([
      { bitOffset: 5, bitfieldSize: 3 },
      { bitOffset: 0xffffff, bitfieldSize: 255 },
      { bitOffset: 64, bitfieldSize: 0 },
    ]);
  });

  it('are the same read one by one', () => {
    const t = of([fields]);
    expect([0, 1, 2].map((i) => memberAt(t, one, i))).toEqual(membersOf(t, one));
    for (const index of [-1, 3, 1e9]) expect(memberAt(t, one, index)).toBeNull();
  });

  it('belong to structs and unions only', () => {
    const t = of([union('u', 4, [{ name: 'a', type: 1, bitOffset: 0 }]), funcProto(0, [['x', 1]])]);
    expect([1, 2, 3].map((i) => memberCount(t, typeId(i)))).toEqual([1, 0, 0]);
    expect(membersOf(t, typeId(2))).toEqual([]);
    expect([3, 4, 5, 6].map(isComposite)).toEqual([false, true, true, false]);
  });
});

describe('enumerators', () => {
  it.each(orders)('have 32 bits, signed by kind_flag, %s-endian', (endian) => {
    const values = [
      ['MINUS', -1],
      ['MAX', 0x7fffffff],
    ] as const;
    const t = of([enumeration('u', values), enumeration('s', values, { signed: true })], {
      endian,
    });
    expect(enumeratorsOf(t, one).map((e) => [e.name, e.value])).toEqual([
      ['MINUS', 0xffffffffn],
      ['MAX', 0x7fffffffn],
    ]);
    expect(enumeratorsOf(t, typeId(2)).map((e) => e.value)).toEqual([-1n, 0x7fffffffn]);
  });

  it.each(orders)('have 64 bits in ENUM64, low word first, %s-endian', (endian) => {
    const values = [
      ['A', 0x1_2345_6789n],
      ['B', -2n],
    ] as const;
    const t = of([enum64('u', values), enum64('s', values, { signed: true })], { endian });
    expect(enumeratorsOf(t, one).map((e) => e.value)).toEqual([
      0x1_2345_6789n,
      0xffff_ffff_ffff_fffen,
    ]);
    expect(enumeratorsOf(t, typeId(2)).map((e) => e.value)).toEqual([0x1_2345_6789n, -2n]);
  });
});

describe('parameters and variables', () => {
  it.each(orders)('are read in order, %s-endian', (endian) => {
    const t = of(
      [
        funcProto(1, [
          ['x', 2],
          ['', 0],
        ]),
        datasec('.bss', 12, [
          [5, 0, 8],
          [6, 8, 4],
        ]),
      ],
      { endian },
    );
    expect(paramsOf(t, one)).toMatchObject([
      { index: 0, name: 'x', type: 2 },
      { index: 1, name: '', type: 0 },
    ]);
    expect(varSecinfosOf(t, typeId(2))).toEqual([
      { index: 0, type: 5, offset: 0, size: 8 },
      { index: 1, type: 6, offset: 8, size: 4 },
    ]);
  });

  it('are empty for other kinds', () => {
    const t = of([int('int', 4), record(20)]);
    for (const items of [membersOf, enumeratorsOf, paramsOf, varSecinfosOf]) {
      expect(items(t, one)).toEqual([]);
    }
  });
});
