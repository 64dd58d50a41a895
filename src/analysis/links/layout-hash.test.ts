import { describe, expect, it } from 'vitest';
import { typeId } from '#model/ids.ts';
import { btfBlob } from '#testing/btf-blob.ts';
import { enumeration, int, ptr, struct, type TypeRecord, typedef } from '#testing/btf-types.ts';
import { tableOf } from '#testing/type-table.ts';
import { layoutHash } from './layout-hash.ts';

const hashOf = (id: number, ...types: readonly TypeRecord[]) =>
  layoutHash(tableOf(btfBlob({ types }).bytes), typeId(id));

const member = (name: string, type: number, bitOffset: number, bitfieldSize = 0) => ({
  name,
  type,
  bitOffset,
  bitfieldSize,
});
const pair = (size: number, first: string, at: number, width = 0) =>
  hashOf(2, int('int', 4), struct('s', size, [member(first, 1, 0), member('b', 1, at, width)]));

describe('the hash of a layout', () => {
  const same = pair(8, 'a', 32);

  it('is seven letters or digits', () => {
    expect(same).toMatch(/^[0-9a-z]{7}$/);
  });

  it('is another when a name, an offset, a width or the size is', () => {
    expect(pair(8, 'a', 32)).toBe(same);
    expect(
      new Set([same, pair(8, 'x', 32), pair(8, 'a', 48), pair(8, 'a', 32, 4), pair(12, 'a', 32)])
        .size,
    ).toBe(5);
  });

  it('is another when the size of a member is, and not when its name is', () => {
    const of = (name: string, size: number) =>
      hashOf(2, int(name, size), struct('s', 8, [member('a', 1, 0)]));
    expect(of('u32', 4)).toBe(of('unsigned int', 4));
    expect(of('u32', 4)).not.toBe(of('u32', 8));
  });

  it('does not depend on ids, and looks through a typedef', () => {
    const alone = hashOf(2, int('int', 4), struct('s', 4, [member('a', 1, 0)]));
    expect(hashOf(3, ptr(0), int('int', 4), struct('s', 4, [member('a', 2, 0)]))).toBe(alone);
    expect(hashOf(3, int('int', 4), struct('s', 4, [member('a', 1, 0)]), typedef('t', 2))).toBe(
      alone,
    );
  });

  it('distinguishes members that only run together', () => {
    const of = (...names: readonly string[]) =>
      hashOf(
        2,
        int('int', 4),
        struct(
          's',
          4,
          names.map((name) => member(name, 1, 0)),
        ),
      );
    expect(of('ab', 'c')).not.toBe(of('a', 'bc'));
  });

  it('counts names and values of enums', () => {
    expect(hashOf(1, enumeration('e', [['A', 1]]))).not.toBe(
      hashOf(1, enumeration('e', [['A', 2]])),
    );
  });
});
