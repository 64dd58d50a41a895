import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ByteReader } from '#bytes/byte-reader.ts';
import { readBtfHeader } from '#formats/btf/header.ts';
import { BtfKind } from '#formats/btf/kinds.ts';
import { walkTypes } from '#formats/btf/walk.ts';
import { type BtfBlob, type BtfSpec, btfBlob } from '#testing/btf-blob.ts';
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
  struct,
  type TypeRecord,
  typedef,
  typeTag,
  union,
  variable,
} from '#testing/btf-types.ts';
import { runs } from '#testing/runs.ts';
import { typeId, VOID } from './ids.ts';
import {
  enumeratorsOf,
  memberAt,
  memberCount,
  membersOf,
  paramsOf,
  varSecinfosOf,
} from './type-items.ts';
import {
  arrayData,
  componentIdx,
  hasType,
  infoOf,
  intData,
  kindFlagOf,
  kindOf,
  lastId,
  nameOf,
  nameOffOf,
  ownerOf,
  recordBytes,
  recordSpan,
  refOf,
  sizeOrTypeOf,
  skipModifiers,
  stringAt,
  type TypeTable,
  varLinkage,
  vlenOf,
} from './type-table.ts';

function table(
  blob: BtfBlob,
  base: TypeTable | null = null,
  fileOffset: number | null = 0,
): TypeTable {
  const reader = new ByteReader(blob.bytes, '.BTF');
  const { endian, types, strings } = readBtfHeader(reader);
  const { count, recordOff } = walkTypes(reader.as(endian), types, null);
  return {
    blob: blob.bytes,
    endian,
    fileOffset,
    firstId: base === null ? 1 : lastId(base) + 1,
    count,
    recordOff,
    strStart: strings.start,
    strEnd: strings.end,
    strBase: base === null ? 0 : base.strBase + base.strEnd - base.strStart,
    pointerBytes: null,
    split: base !== null,
    base,
  };
}

const of = (types: readonly TypeRecord[], more: BtfSpec = {}) => table(btfBlob({ types, ...more }));
const id = typeId;

const everyKind: readonly TypeRecord[] = [
  int('int', 4, { encoding: 1 }),
  ptr(1),
  array(1, 1, 7),
  struct('s', 8, [{ name: 'a', type: 1, bitOffset: 0 }]),
  union('u', 4, [{ name: 'a', type: 1, bitOffset: 0 }]),
  enumeration('e', [['A', 1]]),
  fwd('f', 'union'),
  typedef('t', 4),
  modifier('volatile', 8),
  modifier('const', 9),
  modifier('restrict', 2),
  func('fn', 13, 2),
  funcProto(1, [['x', 1]]),
  variable('v', 1, 1),
  datasec('.data', 4, [[14, 0, 4]]),
  float('double', 8),
  declTag('tag', 4, 0),
  typeTag('rcu', 4),
  enum64('e64', [['BIG', 1n << 40n]]),
];

describe('a table of types', () => {
  it.each(['little', 'big'] as const)('returns the common fields, %s-endian', (endian) => {
    const t = of(everyKind, { endian });
    expect([t.count, lastId(t)]).toEqual([19, 19]);
    for (let i = 1; i <= 19; i++) expect(kindOf(t, id(i))).toBe(i);
    expect(nameOf(t, id(4))).toBe('s');
    expect(nameOf(t, id(2))).toBe('');
    expect([kindFlagOf(t, id(7)), kindFlagOf(t, id(4))]).toEqual([true, false]);
    expect([vlenOf(t, id(12)), vlenOf(t, id(4))]).toEqual([2, 1]);
    expect(infoOf(t, id(7))).toBe(0x87000000);
    expect(sizeOrTypeOf(t, id(4))).toBe(8);
  });

  it('refers by the third word only if it is a type', () => {
    const t = of(everyKind);
    const refs = everyKind.map((_, i) => refOf(t, id(i + 1)));
    expect(refs).toEqual([
      null,
      1,
      null,
      null,
      null,
      null,
      null,
      4,
      8,
      9,
      2,
      13,
      1,
      1,
      null,
      null,
      4,
      4,
      null,
    ]);
  });

  it('returns the fields after the common ones, and zeros for other kinds', () => {
    const t = of([...everyKind, int('odd', 4, { encoding: 4, bits: 3, bitOffset: 9 })]);
    expect(intData(t, id(1))).toEqual({ encoding: 1, bitOffset: 0, bits: 32 });
    expect(intData(t, id(20))).toEqual({ encoding: 4, bitOffset: 9, bits: 3 });
    expect(intData(t, id(4))).toEqual({ encoding: 0, bitOffset: 0, bits: 0 });
    expect(arrayData(t, id(3))).toEqual({ elemType: 1, indexType: 1, nelems: 7 });
    expect(arrayData(t, id(4))).toEqual({ elemType: 0, indexType: 0, nelems: 0 });
    expect([componentIdx(t, id(17)), componentIdx(t, id(16))]).toEqual([0, 0]);
    expect([varLinkage(t, id(14)), varLinkage(t, id(2))]).toEqual([1, 0]);
  });

  it('reads component_idx -1 as a negative number', () => {
    expect(componentIdx(of([int('int', 4), declTag('d', 1)]), id(2))).toBe(-1);
  });

  it('spans each record with its items', () => {
    const blob = btfBlob({ types: everyKind });
    const t = table(blob, null, 1000);
    const start = blob.typeOffsets[3] ?? 0;
    expect(recordSpan(t, id(4))).toEqual({ start: 1000 + start, end: 1000 + start + 24 });
    expect(recordBytes(t, id(4))).toEqual(blob.bytes.slice(start, start + 24));
    expect(recordSpan(table(blob, null, null), id(4))).toBeNull();
  });

  it('reads strings by offset, including from the middle of a string', () => {
    const blob = btfBlob({ types: [int('unsigned', 4)] });
    const t = table(blob);
    expect(stringAt(t, blob.stringOff('unsigned') + 2)).toBe('signed');
    expect(stringAt(t, 0)).toBe('');
    for (const off of [-1, 10, 2 ** 31, Number.NaN]) expect(stringAt(t, off)).toBe('');
  });

  it.each(['a'.repeat(20_000), `${'a'.repeat(9000)}\u00e4${'b'.repeat(9000)}`])(
    'reads a long string from any of its bytes',
    (long) => {
      const blob = btfBlob({ types: [int(long, 4), int('next', 4)] });
      const t = table(blob);
      const off = blob.stringOff(long);
      expect(stringAt(t, off + 3)).toBe(long.slice(3));
      expect(stringAt(t, off)).toBe(long);
      expect(stringAt(t, off + 8000)).toBe(long.slice(8000));
      expect(stringAt(t, off + 8000, 5)).toBe('aaaaa');
      expect(stringAt(t, blob.stringOff('next'))).toBe('next');
    },
  );

  it('reads at most `maxBytes` of a string, and no half of a character', () => {
    const blob = btfBlob({ types: [int('ab\u00e9cd', 4)] });
    const t = table(blob);
    const off = blob.stringOff('ab\u00e9cd');
    const cut = (maxBytes: number) => stringAt(t, off, maxBytes);
    expect([0, 2, 3, 4, 5, 6, 99].map(cut)).toEqual([
      '',
      'ab',
      'ab',
      'ab\u00e9',
      'ab\u00e9c',
      'ab\u00e9cd',
      'ab\u00e9cd',
    ]);
  });

  it('ends a name at the end of the strings when its NUL is missing', () => {
    const t = of([int(1, 4)], { strings: new TextEncoder().encode('\0abc') });
    expect(nameOf(t, id(1))).toBe('abc');
  });
});

describe('skipModifiers', () => {
  const t = of(everyKind);

  it('skips typedefs and modifiers only', () => {
    expect(skipModifiers(t, id(10))).toBe(4);
    expect(skipModifiers(t, id(18))).toBe(4);
    expect(skipModifiers(t, id(2))).toBe(2);
    expect(skipModifiers(t, VOID)).toBe(0);
    expect(skipModifiers(t, id(77))).toBe(77);
  });

  it('returns void for a cycle', () => {
    const circle = of([typedef('a', 2), typedef('b', 3), modifier('const', 1), ptr(1)]);
    for (const i of [1, 2, 3]) expect(skipModifiers(circle, id(i))).toBe(0);
    expect(skipModifiers(circle, id(4))).toBe(4);
  });

  it('follows 10,000 typedefs, and returns at once for very high ids', () => {
    const deep = Array.from({ length: 10_000 }, (_, i) => modifier('const', i + 2));
    expect(skipModifiers(of([...deep, int('int', 4)]), id(1))).toBe(10_001);
    const all = of([...deep, int('int', 4)]);
    // In ascending order each call walks a new chain. In descending order the chains are parts of
    // earlier chains. Each word that is read counts as a step.
    for (let i = 10_000; i > 0; i--) expect(skipModifiers(all, id(i))).toBe(10_001);
    const high = { ...of([typedef('a', 4_000_000_000)]), firstId: 4_000_000_000 };
    expect(skipModifiers(high, id(4_000_000_000))).toBe(0);
  });
});

describe('split tables', () => {
  const bottom = of(everyKind, { endian: 'big' });
  const length = bottom.strEnd - bottom.strStart;
  const middle = table(
    btfBlob({ types: [typedef('own', 4), ptr(20)], baseStringLength: length }),
    bottom,
  );
  const top = table(
    btfBlob({
      types: [struct('top', 8, [{ name: 'p', type: 21, bitOffset: 0 }])],
      baseStringLength: middle.strBase + middle.strEnd - middle.strStart,
    }),
    middle,
  );

  it('find every type in the table with its record, in any byte order', () => {
    expect([top.firstId, lastId(top)]).toEqual([22, 22]);
    expect([4, 20, 22].map((i) => ownerOf(top, id(i)))).toEqual([bottom, middle, top]);
    expect([4, 20, 22].map((i) => nameOf(top, id(i)))).toEqual(['s', 'own', 'top']);
    expect(skipModifiers(top, id(20))).toBe(4);
    expect(membersOf(top, id(4))).toMatchObject([{ name: 'a', type: 1 }]);
    expect(membersOf(top, id(22))).toMatchObject([{ name: 'p', type: 21 }]);
  });

  it('have spans only for records of the split BTF: a base is another file', () => {
    expect(recordSpan(top, id(22))).not.toBeNull();
    expect(recordSpan(top, id(20))).toBeNull();
    expect(recordBytes(top, id(20))).toHaveLength(12);
  });

  it('have no types below their first id without the base', () => {
    const alone = { ...middle, base: null };
    expect([hasType(alone, id(4)), kindOf(alone, id(4)), nameOf(alone, id(4))]).toEqual([
      false,
      BtfKind.UNKN,
      '',
    ]);
    expect([nameOf(alone, id(20)), stringAt(alone, 1)]).toEqual(['own', '']);
  });
});

describe('every accessor', () => {
  const tables = [of(everyKind), of(everyKind, { endian: 'big' }), of([])];
  const ids = fc.oneof(
    fc.integer({ min: -2, max: 25 }),
    fc.constantFrom(-1e9, 2 ** 31, 2 ** 32 - 1, 2 ** 53, Number.NaN, Number.POSITIVE_INFINITY),
  );

  it('answers for any id: void has an empty name and no items', () => {
    fc.assert(
      fc.property(fc.constantFrom(...tables), ids, fc.integer(), (t, n, index) => {
        const type = id(n);
        const isThere = n >= 1 && n <= t.count;
        expect(hasType(t, type)).toBe(isThere);
        expect(kindOf(t, type)).toBe(isThere ? n : 0);
        expect(recordBytes(t, type).length > 0).toBe(isThere);
        expect(recordSpan(t, type) === null).toBe(!isThere);
        const rest = [
          infoOf,
          vlenOf,
          nameOffOf,
          sizeOrTypeOf,
          componentIdx,
          varLinkage,
          memberCount,
        ];
        if (!isThere) expect(rest.map((read) => read(t, type))).toEqual([0, 0, 0, 0, 0, 0, 0]);
        if (!isThere) expect([nameOf(t, type), refOf(t, type)]).toEqual(['', null]);
        for (const items of [membersOf, enumeratorsOf, paramsOf, varSecinfosOf]) {
          expect(items(t, type).length).toBeLessThanOrEqual(isThere ? 1 : 0);
        }
        if (index !== 0) expect(memberAt(t, type, index)).toBeNull();
      }),
      { numRuns: runs(400) },
    );
  });
});
