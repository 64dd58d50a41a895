import fc from 'fast-check';
import { expect, it } from 'vitest';
import { typeId } from '#model/ids.ts';
import { btfBlob } from '#testing/btf-blob.ts';
import {
  array,
  func,
  funcProto,
  int,
  modifier,
  ptr,
  struct,
  typedef,
  variable,
} from '#testing/btf-types.ts';
import { tableOf } from '#testing/type-table.ts';
import { groupedReferrers } from './referrers.ts';

const member = (name: string, type: number) => ({ name, type, bitOffset: 0 });

const t = tableOf(
  btfBlob({
    types: [
      struct('leaf', 4, []), // 1
      modifier('const', 1),
      ptr(2),
      array(1, 9, 4),
      typedef('leaf_t', 1), // 5
      struct('holder', 8, [member('p', 3), member('v', 5)]),
      struct('', 8, [member('all', 4)]),
      typedef('box_t', 7),
      int('int', 4),
      struct('outer', 8, [member('', 7)]), // 10
      funcProto(0, [['p', 3]]),
      func('take', 11),
      ptr(11),
      struct('ops', 8, [member('take', 13)]),
      variable('all', 4), // 15
    ],
  }).bytes,
);

const groups = (type: number, limit = 50) =>
  groupedReferrers(t, typeId(type), limit).map(
    ({ group, total, ids }) => `${group} ${total}: ${ids.join(' ')}`,
  );

it('groups the things at the other end of pointers, arrays and typedefs', () => {
  expect(groups(1)).toEqual([
    'value 3: 6 8 10',
    'pointer 1: 6',
    'function 1: 12',
    'callback 1: 14',
    'variable 1: 15',
  ]);
});

it('counts all and gives the first', () => {
  expect(groups(1, 1)[0]).toBe('value 3: 6');
  expect(groups(14)).toEqual([]);
  expect(groups(99)).toEqual([]);
});

it('ends on any graph', () => {
  const anyId = fc.nat(12);
  const anyType = fc.oneof(
    anyId.map(ptr),
    anyId.map((id) => typedef('t', id)),
    anyId.map((id) => struct('', 8, [member('m', id)])),
    anyId.map((id) => funcProto(id)),
  );
  fc.assert(
    fc.property(fc.array(anyType, { minLength: 1, maxLength: 12 }), anyId, (records, id) => {
      const table = tableOf(btfBlob({ types: records }).bytes);
      const found = groupedReferrers(table, typeId(id), 5);
      for (const { ids, total } of found)
        expect(ids.length).toBeLessThanOrEqual(Math.min(5, total));
    }),
  );
});
