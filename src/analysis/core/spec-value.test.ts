import { describe, expect, it } from 'vitest';
import { typeId } from '#model/ids.ts';
import {
  array,
  fwd,
  int,
  modifier,
  ptr,
  struct,
  type TypeRecord,
  typedef,
} from '#testing/btf-types.ts';
import { typesOfBlob } from '#testing/core-cases.ts';
import { boundedSize } from './spec-value.ts';

const size = (id: number, ...types: readonly TypeRecord[]) =>
  boundedSize(typesOfBlob(types), typeId(id));
const chain = (length: number) => [
  int('int', 4),
  ...Array.from({ length }, (_, i) => typedef('t', i + 1)),
];

describe('boundedSize', () => {
  it.each([
    ['an int', 1, [int('int', 4)], 4],
    ['a struct through a typedef', 2, [struct('s', 12, []), typedef('t', 1)], 12],
    ['a pointer of 64 bits', 1, [ptr(0)], 8],
    ['a pointer of 32 bits', 2, [int('long int', 4), ptr(0)], 4],
    ['an array of arrays', 3, [int('int', 4), array(1, 1, 3), array(2, 1, 5)], 60],
    ['an array of nothing', 3, [struct('s', 0xffffffff, []), array(1, 1, 9), array(2, 1, 0)], 0],
    ['the largest size', 2, [struct('s', 0xffff, []), array(1, 1, 0x10001)], 0xffffffff],
    ['one byte more', 2, [struct('s', 0x10000, []), array(1, 1, 0x10000)], -7],
    [
      'more elements than 32 bits count',
      3,
      [int('c', 1), array(1, 1, 2 ** 31), array(2, 1, 2)],
      -7,
    ],
    ['void', 0, [], -22],
    ['a type that does not exist', 9, [], -22],
    ['a forward declaration', 1, [fwd('f')], -22],
    ['31 typedefs', 32, chain(31), 4],
    ['32 typedefs', 33, chain(32), -22],
    ['a circle', 1, [modifier('const', 1)], -22],
  ] as const)('of %s', (_what, id, types, expected) => {
    expect(size(id, ...types)).toBe(expected);
  });
});
