import { expect, it } from 'vitest';
import { memberRows } from '#analysis/layout/member-rows.ts';
import { typeId } from '#model/ids.ts';
import { btfBlob } from '#testing/btf-blob.ts';
import { int, struct, type TypeRecord } from '#testing/btf-types.ts';
import { openModel } from '#testing/open-model.ts';
import { gapText } from './StructStrip.tsx';

async function typesOf(...types: readonly TypeRecord[]) {
  const model = await openModel('members.btf', btfBlob({ types }).bytes);
  if (model.types === null) throw new Error('no types');
  return model.types;
}

it('has the size of a hole', async () => {
  const types = await typesOf(
    int('int', 4),
    struct('s', 8, [
      { name: 'a', type: 1, bitOffset: 0, bitfieldSize: 3 },
      { name: 'b', type: 1, bitOffset: 8, bitfieldSize: 4 },
      { name: 'c', type: 1, bitOffset: 32, bitfieldSize: 8 },
    ]),
  );
  const gaps = memberRows(types, typeId(2), new Set()).filter(({ kind }) => kind !== 'member');
  expect(gaps.map(gapText)).toEqual(['5-bit hole', '20-bit hole', '3 bytes of padding']);
});
