import { expect, it } from 'vitest';
import { typeId } from '#model/ids.ts';
import { btfBlob } from '#testing/btf-blob.ts';
import { int, struct } from '#testing/btf-types.ts';
import { tableOf } from '#testing/type-table.ts';
import { hasHugeNames } from './wide-types.ts';

const members = (name: string, count: number, type: number) =>
  Array.from({ length: count }, (_, i) => ({ name, type, bitOffset: 32 * i }));

it('distinguishes long names from many names, also in a struct without a name', () => {
  const long = 'x'.repeat(100_000);
  const types = tableOf(
    btfBlob({
      types: [
        int('int', 4),
        struct('plain', 16_000, members('member', 4000, 1)),
        struct('', 160, members(long, 40, 1)),
        struct('holds', 160, members('', 1, 3)),
        struct('self', 4, members('', 1, 5)),
      ],
    }).bytes,
  );
  expect([1, 2, 3, 4, 5].map((id) => hasHugeNames(types, typeId(id)))).toEqual([
    false,
    false,
    true,
    true,
    false,
  ]);
});
