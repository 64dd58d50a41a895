import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { typeId } from '#model/ids.ts';
import { partsOf } from '#testing/all-at-once.ts';
import { btfBlob } from '#testing/btf-blob.ts';
import {
  array,
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
  union,
} from '#testing/btf-types.ts';
import { tableOf } from '#testing/type-table.ts';
import { bitsAt, floatOf } from './bits.ts';
import { type DecodeOptions, decodeValue, partAt, type Value } from './decode.ts';

function decode(
  types: readonly TypeRecord[],
  id: number,
  bytes: readonly number[],
  options: DecodeOptions = {},
): Value {
  const table = tableOf(btfBlob({ types }).bytes);
  return decodeValue(table, typeId(id), Uint8Array.from(bytes), 0, options);
}

function member(value: Value, name: string): Value {
  for (const part of partsOf(value)) if (part.name === name) return part;
  throw new Error(`no member ${name}`);
}

const INT = int('int', 4, { encoding: 1 });

describe('bits', () => {
  it('equal the bits of a shift, in both byte orders', () => {
    const bytes = fc.uint8Array({ minLength: 1, maxLength: 24 });
    fc.assert(
      fc.property(bytes, fc.nat(191), fc.nat(128), (given, at, size) => {
        const bits = Array.from(given, (byte) => byte.toString(2).padStart(8, '0'));
        const fits = at + size <= 8 * given.length;
        const big = bits.join('').slice(at, at + size);
        const ofBig = { bytes: given, byteLength: given.length, endian: 'big' } as const;
        expect(bitsAt(ofBig, at, size)).toBe(fits ? BigInt(`0b0${big}`) : null);
        const turned = [...bits].reverse().join('');
        const little = turned.slice(turned.length - at - size, turned.length - at);
        const ofLittle = { ...ofBig, endian: 'little' } as const;
        expect(bitsAt(ofLittle, at, size)).toBe(fits ? BigInt(`0b0${little}`) : null);
      }),
    );
  });

  it.each([
    [0x3c00n, 16, 1],
    [0xc000n, 16, -2],
    [0x0001n, 16, 2 ** -24],
    [0xfc00n, 16, -Infinity],
    [0x7e00n, 16, NaN],
    [0x3fc00000n, 32, 1.5],
    [0xbff8000000000000n, 64, -1.5],
    [1n, 128, null],
  ])('are a float: %d of %i bits', (bits, size, number) => {
    expect(floatOf(bits, size)).toBe(number);
  });
});

describe('scalars', () => {
  it.each([
    ['signed', INT, [0xff, 0xff, 0xff, 0xff], { kind: 'int', value: -1n }],
    ['unsigned', int('u', 4), [0xff, 0xff, 0xff, 0xff], { kind: 'int', value: 0xffffffffn }],
    ['bool', int('_Bool', 1, { encoding: 4 }), [2], { kind: 'bool', value: 2n }],
    ['char', int('char', 1, { encoding: 2 }), [65], { kind: 'char', value: 65n }],
    [
      '128 bits',
      int('__int128', 16, { encoding: 1 }),
      [...new Array<number>(15).fill(0xff), 0x7f],
      { kind: 'int', value: 2n ** 127n - 2n ** 120n + 2n ** 120n - 1n },
    ],
    ['float', float('f', 4), [0, 0, 0xc0, 0x3f], { kind: 'float', number: 1.5 }],
    ['a pointer', ptr(0), [1, 0, 0, 0, 0, 0, 0, 0], { kind: 'pointer', value: 1n, target: null }],
    ['too few bytes', INT, [1, 2, 3], { kind: 'truncated' }],
    ['void behind nothing', typedef('t', 0), [1], { kind: 'none' }],
    ['a forward declaration', fwd('f'), [1], { kind: 'none' }],
  ])('%s', (_name, type, bytes, content) => {
    expect(decode([type], 1, bytes).content).toMatchObject(content);
  });

  it('take the byte order that is given', () => {
    expect(decode([INT], 1, [0, 0, 0, 7], { endian: 'big' }).content).toMatchObject({ value: 7n });
  });

  it('follow typedefs and qualifiers, and keep the declared type', () => {
    const types = [INT, typedef('t', 1), modifier('const', 2)];
    expect(decode(types, 3, [5, 0, 0, 0])).toMatchObject({ type: 3, bare: 1 });
  });
});

describe('enums', () => {
  const flags = enumeration('F', [
    ['NONE', 0],
    ['A', 1],
    ['B', 2],
    ['C', 8],
  ]);
  it.each([
    ['one', 2, ['B']],
    ['nothing set', 0, ['NONE']],
    ['several', 11, ['A', 'B', 'C']],
    ['a bit without a name', 5, []],
  ])('of single bits: %s', (_name, value, names) => {
    expect(decode([flags], 1, [value, 0, 0, 0]).content).toMatchObject({ names });
  });

  it('that count are never flags', () => {
    const counted = enumeration('N', [
      ['ONE', 1],
      ['TWO', 2],
      ['THREE', 3],
    ]);
    expect(decode([counted], 1, [7, 0, 0, 0]).content).toMatchObject({ names: [], value: 7n });
  });

  it('of two states are never flags either', () => {
    const states = enumeration('S', [
      ['IDLE', 0],
      ['BUSY', 1],
      ['GONE', 2],
    ]);
    expect(decode([states], 1, [3, 0, 0, 0]).content).toMatchObject({ names: [], value: 3n });
  });

  it('have signs and sizes of their own', () => {
    const small = enumeration('S', [['MINUS', -1]], { signed: true, size: 1 });
    expect(decode([small], 1, [0xff]).content).toMatchObject({ value: -1n, names: ['MINUS'] });
    const wide = enum64('W', [['BIG', 0x123456789an]]);
    expect(decode([wide], 1, [0x9a, 0x78, 0x56, 0x34, 0x12, 0, 0, 0]).content).toMatchObject({
      names: ['BIG'],
    });
  });
});

describe('parts', () => {
  const types = [
    INT,
    int('char', 1, { encoding: 1 }),
    array(2, 1, 4),
    union('', 4, [
      { name: 'x', type: 1, bitOffset: 0 },
      { name: 'y', type: 3, bitOffset: 0 },
    ]),
    struct('s', 12, [
      { name: 'low', type: 1, bitOffset: 0, bitfieldSize: 3 },
      { name: 'high', type: 1, bitOffset: 3, bitfieldSize: 5 },
      { name: 'text', type: 3, bitOffset: 32 },
      { name: '', type: 4, bitOffset: 64 },
    ]),
  ];

  it('are members, with bit-fields in both byte orders', () => {
    const bytes = [0b11111_010, 0, 0, 0, 0x61, 0x62, 0, 0, 1, 0, 0, 0];
    const little = decode(types, 5, bytes);
    expect(little.partCount).toBe(4);
    expect(member(little, 'low')).toMatchObject({ isBitfield: true, content: { value: 2n } });
    expect(member(little, 'high').content).toMatchObject({ value: -1n });
    const big = decode(types, 5, bytes, { endian: 'big' });
    expect(member(big, 'low').content).toMatchObject({ value: -1n });
    expect(member(big, 'high').content).toMatchObject({ value: -6n });
    expect(member(little, 'text').content).toEqual({
      kind: 'string',
      bytes: Uint8Array.of(0x61, 0x62),
      isCut: false,
    });
    const anonymous = member(little, '');
    expect(anonymous.content).toEqual({ kind: 'union' });
    expect(member(anonymous, 'x')).toMatchObject({ bitOffset: 64, content: { value: 1n } });
  });

  it('are elements, a page at a time', () => {
    const numbers = decode([INT, array(1, 1, 0xffffffff)], 2, [1, 0, 0, 0, 2, 0, 0, 0, 3]);
    const page = [...partsOf(numbers, 1, 2)].map(({ content }) => content);
    expect(page).toEqual([{ kind: 'int', value: 2n }, { kind: 'truncated' }]);
    expect(partAt(numbers, 0xffffffff)).toBeNull();
    expect(partAt(numbers, -1)).toBeNull();
    expect(partAt(numbers, 0.5)).toBeNull();
  });

  it('of an array without a length are the bytes of the variable beyond its type', () => {
    const flexible = [
      INT,
      array(1, 1, 0),
      struct('s', 4, [
        { name: 'n', type: 1, bitOffset: 0 },
        { name: 'rest', type: 2, bitOffset: 32 },
      ]),
    ];
    const longer = decode(flexible, 3, [2, 0, 0, 0, 5, 0, 0, 0, 6, 0, 0, 0]);
    expect(member(longer, 'rest').partCount).toBe(2);
    expect(member(decode(flexible, 3, [2, 0, 0, 0]), 'rest').partCount).toBe(0);
  });

  it('are zeros past the bytes that are stored', () => {
    const value = decode(types, 5, [], { byteLength: 12 });
    expect(member(value, 'text').content).toMatchObject({ kind: 'string', isCut: false });
    expect(member(value, 'low').content).toMatchObject({ kind: 'int', value: 0n });
  });
});

/** Generates types of any kind. References are arbitrary, even if no compiler writes them. */
const anyType = (count: number): fc.Arbitrary<TypeRecord> => {
  const id = fc.nat(count + 1);
  const members = fc.array(
    fc.record({
      name: fc.constantFrom('', 'a', 'b'),
      type: id,
      bitOffset: fc.nat(200),
      bitfieldSize: fc.nat(255),
    }),
    { maxLength: 4 },
  );
  const size = fc.constantFrom(0, 1, 2, 3, 4, 8, 16, 0xffffffff);
  const bits = fc.record({ encoding: fc.nat(15), bits: fc.nat(255), bitOffset: fc.nat(255) });
  return fc.oneof(
    fc.tuple(size, bits).map(([n, given]) => int('char', n, given)),
    id.map(ptr),
    id.map((to) => typedef('t', to)),
    fc.tuple(id, fc.constantFrom(0, 1, 5, 0xffffffff)).map(([to, n]) => array(to, 1, n)),
    fc.tuple(size, members).map(([n, list]) => struct('s', n, list)),
    fc.tuple(size, members).map(([n, list]) => union('u', n, list)),
    size.map((n) => enumeration('e', [['A', 1]], { size: n })),
    size.map((n) => float('f', n)),
    id.map((to) => func('f', to)),
    id.map((to) => funcProto(to)),
  );
};

it('is total on any types and bytes', () => {
  const records = fc.array(anyType(6), { minLength: 1, maxLength: 6 });
  const endian = fc.constantFrom('little' as const, 'big' as const);
  fc.assert(
    fc.property(records, fc.uint8Array({ maxLength: 40 }), endian, (types, bytes, order) => {
      const table = tableOf(btfBlob({ types }).bytes);
      for (let id = 0; id <= types.length + 1; id++) {
        const queue = [decodeValue(table, typeId(id), bytes, 0, { endian: order })];
        for (let seen = 0; seen < 50; seen++) {
          const value = queue.shift();
          if (value === undefined) break;
          queue.push(...partsOf(value, 0, 5));
          expect(partAt(value, value.partCount)).toBeNull();
          if ('value' in value.content) {
            expect(value.bitOffset + value.bitSize).toBeLessThanOrEqual(8 * bytes.length);
          }
        }
      }
    }),
  );
});

it('goes 10,000 levels down without a call inside a call', () => {
  const types: TypeRecord[] = [INT];
  for (let id = 2; id <= 10_001; id++) {
    types.push(struct('s', 4, [{ name: 'm', type: id - 1, bitOffset: 0 }]));
  }
  let value: Value | null = decode(types, types.length, [9, 0, 0, 0]);
  for (let depth = 0; depth < 10_000 && value !== null; depth++) value = partAt(value, 0);
  expect(value?.content).toEqual({ kind: 'int', value: 9n });
});
