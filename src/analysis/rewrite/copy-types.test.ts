import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Endian } from '#bytes/span.ts';
import { BtfKind } from '#formats/btf/kinds.ts';
import { type TypeId, typeId } from '#model/ids.ts';
import { membersOf } from '#model/type-items.ts';
import { arrayData, kindFlagOf, kindOf, lastId, nameOf, sizeOrTypeOf } from '#model/type-table.ts';
import { raw } from '#testing/assemble.ts';
import { btfBlob } from '#testing/btf-blob.ts';
import {
  array,
  enumeration,
  func,
  funcProto,
  int,
  ptr,
  record,
  struct,
  union,
} from '#testing/btf-types.ts';
import { isLong } from '#testing/runs.ts';
import { sameRecords } from '#testing/same-records.ts';
import { tableOf } from '#testing/type-table.ts';
import { copyTypes } from './copy-types.ts';

const ids = (...numbers: readonly number[]): TypeId[] => numbers.map(typeId);

/** [1] int, [2] int[4], [3] struct s {a:3; b:5; (anonymous union); int *p}, [4] its union, [5] int *. */
const t = tableOf(
  btfBlob({
    types: [
      int('int', 4, { encoding: 1 }),
      array(1, 1, 4),
      struct('s', 32, [
        { name: 'a', type: 1, bitOffset: 0, bitfieldSize: 3 },
        { name: 'b', type: 1, bitOffset: 3, bitfieldSize: 5 },
        { name: '', type: 4, bitOffset: 64, bitfieldSize: 0 },
        { name: 'p', type: 5, bitOffset: 128, bitfieldSize: 0 },
      ]),
      union('', 4, [{ name: 'm', type: 2, bitOffset: 0 }]),
      ptr(1),
    ],
  }).bytes,
);

describe('ids', () => {
  it('count from 1 in the order that was asked for', () => {
    const { blob, idMap, leftOut } = copyTypes(t, ids(2, 1));
    expect([...idMap]).toEqual([
      [2, 1],
      [1, 2],
    ]);
    expect(leftOut).toEqual([]);
    const copy = tableOf(blob);
    expect(arrayData(copy, typeId(1))).toEqual({ elemType: 2, indexType: 2, nelems: 4 });
    expect(nameOf(copy, typeId(2))).toBe('int');
  });

  it('of what was not asked for become void', () => {
    const copy = tableOf(copyTypes(t, ids(3)).blob);
    expect(membersOf(copy, typeId(1)).map((m) => m.type)).toEqual([0, 0, 0, 0]);
  });

  it('given twice are copied once; missing ones are reported', () => {
    const { idMap, leftOut } = copyTypes(t, ids(1, 1, 0, 99));
    expect(idMap.size).toBe(1);
    expect(leftOut).toEqual([0, 99]);
  });
});

describe('members', () => {
  it('that are kept keep their offsets, and the struct its size', () => {
    const { blob } = copyTypes(t, ids(1, 3), { keepMember: (_id, index) => index === 1 });
    const copy = tableOf(blob);
    expect(sizeOrTypeOf(copy, typeId(2))).toBe(32);
    expect(kindFlagOf(copy, typeId(2))).toBe(true);
    expect(membersOf(copy, typeId(2))).toMatchObject([
      { name: 'b', type: 1, bitOffset: 3, bitfieldSize: 5 },
    ]);
  });

  it('without a bit-field among them make a struct without kind_flag', () => {
    const { blob } = copyTypes(t, ids(3), { keepMember: (_id, index) => index === 3 });
    const copy = tableOf(blob);
    expect(kindFlagOf(copy, typeId(1))).toBe(false);
    expect(membersOf(copy, typeId(1))).toMatchObject([{ name: 'p', bitOffset: 128 }]);
  });

  it('at an odd bit set kind_flag, unless their offset needs all 32 bits', () => {
    const odd = (bitOffset: number) =>
      copyTypes(
        tableOf(
          btfBlob({ types: [int('i', 4), struct('s', 4, [{ name: 'a', type: 1, bitOffset }])] })
            .bytes,
        ),
        ids(1, 2),
        { keepMember: () => true },
      ).blob;
    expect(kindFlagOf(tableOf(odd(3)), typeId(2))).toBe(true);
    expect(kindFlagOf(tableOf(odd(0x1000001)), typeId(2))).toBe(false);
    expect(membersOf(tableOf(odd(0x1000001)), typeId(2))).toMatchObject([{ bitOffset: 0x1000001 }]);
  });
});

it.each<[Endian, Endian]>([
  ['little', 'big'],
  ['big', 'little'],
])('turns %s-endian into %s-endian', (from, to) => {
  const source = tableOf(
    btfBlob({ endian: from, types: [enumeration('e', [['A', 7]]), func('f', 3), funcProto(1)] })
      .bytes,
  );
  const { blob } = copyTypes(source, ids(1, 2, 3), { endian: to });
  const copy = tableOf(blob);
  expect(copy.endian).toBe(to);
  expect(sameRecords(copy, tableOf(copyTypes(source, ids(1, 2, 3)).blob))).toBe(true);
});

it('a split table stays split if requested, else it stands alone', () => {
  const base = tableOf(btfBlob({ types: [int('int', 4)], strings: ['base'] }).bytes);
  const strLen = base.strEnd - base.strStart;
  const split = tableOf(
    btfBlob({
      types: [struct('own', 4, [{ name: 1, type: 1, bitOffset: 0 }])],
      baseStringLength: strLen,
    }).bytes,
    base,
  );
  const kept = copyTypes(split, ids(2), { keepBase: true });
  expect([...kept.idMap]).toEqual([[2, 2]]);
  expect(kept.blob).toEqual(split.blob);
  const alone = tableOf(copyTypes(split, ids(1, 2)).blob);
  expect(membersOf(alone, typeId(2))).toMatchObject([{ name: 'base', type: 1 }]);
  expect(copyTypes(split, ids(1), { keepBase: true }).leftOut).toEqual([1]);
});

describe('odd tables', () => {
  it('a kind that is not known is left out', () => {
    const odd = tableOf(
      btfBlob({
        types: [record(25), ptr(1)],
        layout: Array.from({ length: 26 }, () => ({ infoSize: 0, elemSize: 0 })),
      }).bytes,
    );
    const { blob, leftOut } = copyTypes(odd, ids(1, 2));
    expect(leftOut).toEqual([1]);
    expect(sizeOrTypeOf(tableOf(blob), typeId(1))).toBe(0);
  });

  it('a vlen beyond 16 bits makes the blob wide', () => {
    const many = record(BtfKind.FUNC_PROTO, {
      vlen: 70_000,
      tail: () => [raw(new Uint8Array(560_000))],
    });
    const odd = tableOf(btfBlob({ types: [many] }).bytes);
    expect(copyTypes(odd, ids(1)).blob[4]).toBe(32);
  });

  it.runIf(isLong)(
    'names that share their bytes a thousand times over do not fill the memory',
    () => {
      const length = 1 << 20;
      const tails = Array.from({ length: 1000 }, (_, i) => record(BtfKind.FWD, { name: i + 1 }));
      const strings = new Uint8Array(length).fill(0x61);
      strings[0] = 0;
      strings[length - 1] = 0;
      const odd = tableOf(btfBlob({ types: tails, strings }).bytes);
      const { blob, lostNames } = copyTypes(odd, ids(...tails.keys()));
      expect(lostNames).toBeGreaterThan(700);
      expect(blob.length).toBeLessThan(2 ** 28 + 2 ** 20);
    },
  );

  it('any words are copied without a fault, and copying again changes no byte', () => {
    const words = fc.array(fc.oneof(fc.nat(40), fc.nat(), fc.constant(0xffffffff)), {
      maxLength: 60,
    });
    fc.assert(
      fc.property(words, fc.nat(19), (tail, kind) => {
        const bytes = btfBlob({
          types: [record(kind, { vlen: 2, name: 1 }), int('x', 4)],
          strings: ['y'],
        }).bytes;
        const view = new DataView(bytes.buffer);
        for (const [i, value] of tail.entries()) {
          if (28 + 4 * i + 4 <= bytes.length) view.setUint32(28 + 4 * i, value, true);
        }
        const odd = tableOf(bytes);
        const all = Array.from({ length: odd.count }, (_, i) => typeId(i + 1));
        const once = copyTypes(odd, all).blob;
        const copy = tableOf(once);
        const again = Array.from({ length: lastId(copy) }, (_, i) => typeId(i + 1));
        expect(copyTypes(copy, again).blob).toEqual(once);
        for (const id of again) expect(kindOf(copy, id)).not.toBe(0);
      }),
    );
  });
});
