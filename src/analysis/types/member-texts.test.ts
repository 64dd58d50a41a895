import { describe, expect, it } from 'vitest';
import { typeId } from '#model/ids.ts';
import { btfBlob } from '#testing/btf-blob.ts';
import { array, int, struct, typedef, union } from '#testing/btf-types.ts';
import { tableOf } from '#testing/type-table.ts';
import { memberTexts } from './member-texts.ts';

const t = tableOf(
  btfBlob({
    types: [
      int('int', 4),
      struct('inner', 8, [
        { name: 'a', type: 1, bitOffset: 0 },
        { name: 'b', type: 1, bitOffset: 32 },
      ]),
      array(1, 1, 4),
      union('', 8, [{ name: 'u', type: 2, bitOffset: 0 }]),
      struct('s', 32, [
        { name: 'x', type: 1, bitOffset: 0 },
        { name: '', type: 4, bitOffset: 64 },
        { name: 'list', type: 3, bitOffset: 128 },
        { name: 'flag', type: 1, bitOffset: 133, bitfieldSize: 2 },
      ]),
      typedef('s_t', 5),
    ],
  }).bytes,
);

const texts = (path: readonly number[], type = 5) =>
  memberTexts(t, typeId(type), typeId(5), path).map(({ text }) => text);

describe('memberTexts', () => {
  it('are path, macro and offset of a member', () => {
    expect(texts([0])).toEqual(['s.x', 'BPF_CORE_READ(p, x)', '0x0', 'offsetof(struct s, x)']);
    expect(texts([0], 6)).toEqual(['s_t.x', 'BPF_CORE_READ(p, x)', '0x0', 'offsetof(s_t, x)']);
  });

  it('passes over members without a name, and adds up their offsets', () => {
    expect(texts([1, 0, 1])).toEqual([
      's.u.b',
      'BPF_CORE_READ(p, u.b)',
      '0xc',
      'offsetof(struct s, u.b)',
    ]);
    expect(texts([1])).toEqual(['0x8']);
  });

  it('reads arrays and structs into a variable, bit-fields by their own macro', () => {
    expect(texts([2])[1]).toBe('BPF_CORE_READ_INTO(&value, p, list)');
    expect(texts([1, 0])[1]).toBe('BPF_CORE_READ_INTO(&value, p, u)');
    expect(texts([3])).toEqual(['s.flag', 'BPF_CORE_READ_BITFIELD_PROBED(p, flag)', '0x10:5']);
  });

  it('are empty if the member does not exist', () => {
    expect(texts([])).toEqual([]);
    expect(texts([9])).toEqual([]);
    expect(texts([0, 1])).toEqual([]);
  });
});
