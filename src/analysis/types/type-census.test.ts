import { expect, it } from 'vitest';
import { btfBlob } from '#testing/btf-blob.ts';
import {
  array,
  funcProto,
  int,
  modifier,
  ptr,
  record,
  struct,
  typedef,
  union,
} from '#testing/btf-types.ts';
import { tableOf } from '#testing/type-table.ts';
import { kindHistogram, typeCensus } from './type-census.ts';

const member = (name: string, type: number, bitOffset: number) => ({ name, type, bitOffset });

it('has the largest named structs with their padding, and the sum of the others', () => {
  const types = [
    int('int', 4),
    struct('small', 4, [member('a', 1, 0)]),
    struct('holey', 16, [member('a', 1, 0), member('b', 1, 96)]),
    struct('', 64, [member('a', 1, 0)]),
    union('u', 99, [member('a', 1, 0)]),
    struct('middle', 8, [member('a', 1, 0), member('b', 1, 32)]),
  ];
  const { structs, others } = typeCensus(tableOf(btfBlob({ types }).bytes), 2, 9);
  expect(structs).toEqual([
    { type: 3, bytes: 16, padding: 8 },
    { type: 6, bytes: 8, padding: 0 },
  ]);
  expect(others).toEqual({ count: 1, bytes: 4 });
});

it('counts references to a struct through pointers, qualifiers and arrays, and ends on cycles', () => {
  const types = [
    int('int', 4),
    struct('asked', 4, [member('a', 1, 0)]),
    ptr(4),
    modifier('const', 2),
    array(3, 1, 4),
    struct('asks', 48, [member('p', 3, 0), member('q', 5, 64), member('r', 3, 320)]),
    funcProto(2, [['x', 5]]),
    typedef('t', 2),
    modifier('volatile', 10),
    modifier('restrict', 9),
    struct('circle', 8, [member('a', 9, 0)]),
  ];
  const { referred } = typeCensus(tableOf(btfBlob({ types }).bytes), 9, 9);
  // Type 2 is the type of three members, a return value, a parameter and a typedef.
  expect(referred).toEqual([{ type: 2, count: 6 }]);
});

it('counts own types, the most frequent kind first', () => {
  const types = [int('int', 4), ptr(1), record(127), ptr(1), struct('s', 0, []), int('x', 4)];
  const layout = Array.from({ length: 128 }, () => ({ infoSize: 0, elemSize: 0 }));
  expect(kindHistogram(tableOf(btfBlob({ types, layout }).bytes))).toEqual([
    { kind: 1, count: 2 },
    { kind: 2, count: 2 },
    { kind: 4, count: 1 },
    { kind: 127, count: 1 },
  ]);
});

it('is empty without types', () => {
  expect(kindHistogram(tableOf(btfBlob().bytes))).toEqual([]);
});
