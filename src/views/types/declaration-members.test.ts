import { expect, it } from 'vitest';
import { tableOf } from '#analysis/types/type-table-for-tests.ts';
import { typeId } from '#model/ids.ts';
import { btfBlob } from '#testing/btf-blob.ts';
import { int, struct, union } from '#testing/btf-types.ts';
import { choosableMembers } from './declaration-members.ts';

it('names the members in order, those of anonymous ones in their place', () => {
  const types = tableOf(
    btfBlob({
      types: [
        int('int', 4),
        union('', 4, [
          { name: 'b', type: 1, bitOffset: 0 },
          { name: 'c', type: 1, bitOffset: 0 },
        ]),
        struct('s', 12, [
          { name: 'a', type: 1, bitOffset: 0 },
          { name: '', type: 2, bitOffset: 32 },
          { name: 'd', type: 1, bitOffset: 64 },
          { name: '', type: 1, bitOffset: 64 },
        ]),
      ],
    }).bytes,
  );
  expect(choosableMembers(types, typeId(3))).toEqual(['a', 'b', 'c', 'd']);
});

it('ends for a struct that is in itself', () => {
  const types = tableOf(
    btfBlob({
      types: [
        struct('', 4, [
          { name: 'a', type: 1, bitOffset: 0 },
          { name: '', type: 1, bitOffset: 0 },
        ]),
      ],
    }).bytes,
  );
  expect(choosableMembers(types, typeId(1))).toEqual(['a']);
});
