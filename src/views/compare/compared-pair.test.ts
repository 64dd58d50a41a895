import { describe, expect, it } from 'vitest';
import { compareTypes, pairGraphOf } from '#analysis/compare/compare-types.ts';
import { typeId } from '#model/ids.ts';
import { array, enum64, enumeration, int, ptr, struct, typedef } from '#testing/btf-types.ts';
import { tableFrom } from '#testing/compared-types.ts';
import { comparedPair, heldPair } from './compared-pair.ts';

const NO_PARAMS = { a: null, b: null };
const x = [{ name: 'x', type: 1, bitOffset: 0 }];

describe('comparedPair', () => {
  const before = tableFrom([
    int('int', 4),
    struct('s', 4, x),
    struct('only', 4, []),
    enumeration('e', []),
  ]);
  const after = tableFrom([int('int', 4), struct('s', 8, []), struct('s', 4, x), enum64('e', [])]);

  it('takes the type of the same name that is most like the selected one', () => {
    expect(comparedPair(before, after, typeId(2), NO_PARAMS)).toEqual({ a: 2, b: 3 });
  });

  it('takes what a kind has become', () => {
    expect(comparedPair(before, after, typeId(4), NO_PARAMS)).toEqual({ a: 4, b: 4 });
  });

  it('has none where the name is gone', () => {
    expect(comparedPair(before, after, typeId(3), NO_PARAMS)).toEqual({ a: 3, b: null });
  });

  it('follows a choice as long as its type is selected', () => {
    const params = { a: 'struct:only', b: 'struct:s~1' };
    expect(comparedPair(before, after, typeId(3), params)).toEqual({ a: 3, b: 3 });
    expect(comparedPair(before, after, typeId(2), params)).toEqual({ a: 2, b: 3 });
    expect(comparedPair(before, after, null, params)).toEqual({ a: null, b: null });
  });

  it('takes a type that only the other side has', () => {
    const params = { a: 'void:~0', b: 'struct:s' };
    expect(comparedPair(before, after, null, params)).toEqual({ a: null, b: 2 });
    expect(comparedPair(before, after, null, { a: 'void:~0', b: 'gone gone' })).toEqual({
      a: null,
      b: null,
    });
  });

  it('compares within one file with another of the name, never with itself', () => {
    expect(comparedPair(after, after, typeId(2), NO_PARAMS)).toEqual({ a: 2, b: 3 });
    expect(comparedPair(after, after, typeId(1), NO_PARAMS)).toEqual({ a: 1, b: null });
  });
});

describe('heldPair', () => {
  it('goes behind pointers and arrays to what has a name', () => {
    const types = tableFrom([
      struct('s', 8, [
        { name: 'p', type: 2, bitOffset: 0 },
        { name: 'v', type: 5, bitOffset: 0 },
        { name: 'loop', type: 6, bitOffset: 0 },
      ]),
      ptr(3),
      array(4, 4, 2),
      typedef('t', 1),
      ptr(0),
      ptr(6),
    ]);
    const { lines } = compareTypes(pairGraphOf(types, types), typeId(1), typeId(1));
    expect(lines.map((line) => heldPair(types, types, line))).toEqual([{ a: 4, b: 4 }, null, null]);
  });
});
