import { describe, expect, it } from 'vitest';
import { structLayout } from '#analysis/types/struct-layout.ts';
import { typeId } from '#model/ids.ts';
import { isComposite } from '#model/type-items.ts';
import { kindOf, sizeOrTypeOf } from '#model/type-table.ts';
import { btfBlob } from '#testing/btf-blob.ts';
import { array, int, struct, typedef, union } from '#testing/btf-types.ts';
import { sampleModel } from '#testing/samples.ts';
import { tableOf } from '#testing/type-table.ts';
import { type Covering, membersAt } from './find-members.ts';

const t = tableOf(
  btfBlob({
    types: [
      int('int', 4), // 1
      int('char', 1),
      struct('pair', 8, [
        { name: 'a', type: 1, bitOffset: 0 },
        { name: 'b', type: 1, bitOffset: 32 },
      ]),
      array(3, 1, 4), // 4: pair[4]
      union('', 8, [
        { name: 'p', type: 3, bitOffset: 0 },
        { name: 'whole', type: 1, bitOffset: 0 },
      ]),
      struct('outer', 64, [
        { name: 'c', type: 2, bitOffset: 0 },
        { name: '', type: 5, bitOffset: 64 },
        { name: 'pairs', type: 4, bitOffset: 128 },
      ]), // 6
      struct('bits', 4, [
        { name: 'x', type: 1, bitOffset: 0, bitfieldSize: 3 },
        { name: 'y', type: 1, bitOffset: 3, bitfieldSize: 7 },
      ]),
      typedef('loop_t', 9), // 8
      struct('loop', 8, [{ name: 'me', type: 8, bitOffset: 0 }]), // 9
    ],
  }).bytes,
);

const brief = (found: readonly Covering[]) =>
  found.map(({ kind, path, bitOffset }) => `${kind} ${path.join('/')} @${bitOffset}`);

describe('what covers a byte', () => {
  it('is found in structs, unions and arrays inside', () => {
    expect(brief(membersAt(t, typeId(6), 0))).toEqual(['member 0 @0']);
    expect(brief(membersAt(t, typeId(6), 12))).toEqual(['member 1/0/1 @96']);
    expect(brief(membersAt(t, typeId(6), 9))).toEqual(['member 1/0/0 @64', 'member 1/1 @64']);
    // Element 2 of the array begins at byte 16 + 2 * 8.
    expect(brief(membersAt(t, typeId(6), 37))).toEqual(['member 2/1 @288']);
  });

  it('may be a hole or padding', () => {
    expect(brief(membersAt(t, typeId(6), 3))).toEqual(['hole  @8']);
    expect(brief(membersAt(t, typeId(6), 60))).toEqual(['padding  @384']);
    expect(membersAt(t, typeId(6), 64)).toEqual([]);
  });

  it('may be several bit-fields', () => {
    expect(brief(membersAt(t, typeId(7), 0))).toEqual(['member 0 @0', 'member 1 @3']);
    expect(brief(membersAt(t, typeId(7), 1))).toEqual(['member 1 @3', 'padding  @10']);
  });

  it('ends in a struct that holds itself', () => {
    expect(membersAt(t, typeId(9), 0)).toHaveLength(1);
  });
});

it('equals the layout, byte by byte, of every struct of the example kernel', async () => {
  const { types } = await sampleModel('kernel.btf');
  if (types === null) throw new Error('no types');
  let bytes = 0;
  for (let id = 1; id <= types.count; id++) {
    const type = typeId(id);
    if (!isComposite(kindOf(types, type))) continue;
    const { rows } = structLayout(types, type);
    for (let byte = 0; byte < Math.min(256, sizeOrTypeOf(types, type)); byte++) {
      bytes++;
      const inLayout = rows
        .filter((row) => row.bitOffset < 8 * byte + 8 && row.bitOffset + row.bitSize > 8 * byte)
        .map(({ kind, index }) => (kind === 'member' ? index : -1));
      // At the maximum depth the result is the member that contains the byte.
      const found = membersAt(types, type, byte).map(({ path }) => path[0] ?? -1);
      expect(new Set(found), `type ${id}, byte ${byte}`).toEqual(new Set(inLayout));
    }
  }
  expect(bytes).toBeGreaterThan(1000);
});
