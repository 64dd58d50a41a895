import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { typeId } from '#model/ids.ts';
import { membersOf } from '#model/type-items.ts';
import { kindOf, lastId, nameOf, sizeOrTypeOf, type TypeTable } from '#model/type-table.ts';
import { btfBlob } from '#testing/btf-blob.ts';
import {
  array,
  enumeration,
  funcProto,
  fwd,
  int,
  modifier,
  ptr,
  record,
  struct,
  type TypeRecord,
  typedef,
  typeTag,
  union,
} from '#testing/btf-types.ts';
import { tableOf } from '#testing/type-table.ts';
import { minBtf } from './min-btf.ts';
import type { MatchedSpec } from './type-marks.ts';

const table = (...types: readonly TypeRecord[]): TypeTable => tableOf(btfBlob({ types }).bytes);

const spec = (kind: number, root: number, ...raw: readonly number[]): MatchedSpec => ({
  kind,
  root: typeId(root),
  raw,
});

/** Returns the old ids of the types in the minimal BTF, and the member names of each struct. */
function kept(t: TypeTable, ...specs: readonly MatchedSpec[]) {
  const { blob, idMap } = minBtf(t, specs);
  const copy = tableOf(blob);
  const members = [...idMap.values()].map((id) => membersOf(copy, typeId(id)).map((m) => m.name));
  return { ids: [...idMap.keys()], members: members.filter((names) => names.length > 0) };
}

/** [3] struct a {x, [4] union {u, v}, [6] arr[2] of [5] struct b {p, q}}; [9] const typedef a_t. */
const t = table(
  int('int', 4),
  ptr(5),
  struct('a', 64, [
    { name: 'x', type: 1, bitOffset: 0 },
    { name: '', type: 4, bitOffset: 64 },
    { name: 'arr', type: 6, bitOffset: 128 },
  ]),
  union('', 4, [
    { name: 'u', type: 1, bitOffset: 0 },
    { name: 'v', type: 7, bitOffset: 0 },
  ]),
  struct('b', 16, [
    { name: 'p', type: 2, bitOffset: 0 },
    { name: 'q', type: 7, bitOffset: 64 },
  ]),
  array(5, 1, 2),
  enumeration('e', [
    ['A', 0],
    ['B', 1],
  ]),
  typedef('a_t', 3),
  modifier('const', 8),
);

describe('a field keeps', () => {
  it('the members on its path and their types, and no other', () => {
    expect(kept(t, spec(0, 3, 0, 1, 1))).toEqual({ ids: [3, 4, 7], members: [[''], ['v']] });
  });

  it('an array with its element and index types, and the accessed part of the element', () => {
    const found = kept(t, spec(0, 3, 0, 2, 1, 0));
    expect(found).toEqual({ ids: [1, 2, 3, 5, 6], members: [['arr'], ['p']] });
  });

  it('typedefs and modifiers of its root', () => {
    expect(kept(t, spec(2, 9, 0, 0))).toEqual({ ids: [1, 3, 8, 9], members: [['x']] });
  });

  it('a pointer, but not what it points at', () => {
    expect(kept(t, spec(0, 5, 0, 0))).toEqual({ ids: [2, 5], members: [['p']] });
  });

  it('its offset, and the struct its size', () => {
    const copy = tableOf(minBtf(t, [spec(0, 3, 0, 2)]).blob);
    const id = typeId(2);
    expect([nameOf(copy, id), sizeOrTypeOf(copy, id)]).toEqual(['a', 64]);
    expect(membersOf(copy, id)).toMatchObject([{ name: 'arr', bitOffset: 128 }]);
  });

  it('the valid part of a path that cannot be followed', () => {
    expect(kept(t, spec(0, 3, 0, 99))).toEqual({ ids: [3], members: [] });
    expect(kept(t, spec(0, 3, 0, 0, 1))).toEqual({ ids: [1, 3], members: [['x']] });
  });
});

describe('a type keeps', () => {
  it.each([7, 8, 9])('what it refers to up to the struct, for kind %i', (kind) => {
    expect(kept(t, spec(kind, 9, 0))).toEqual({ ids: [3, 8, 9], members: [] });
    expect(kept(t, spec(kind, 2, 0))).toEqual({ ids: [2, 5], members: [] });
  });

  it('all members where it must match, but not those behind pointers', () => {
    expect(kept(t, spec(12, 5, 0))).toEqual({ ids: [2, 5, 7], members: [['p', 'q']] });
    const behind = table(
      int('int', 4),
      struct('s', 4, [{ name: 'x', type: 1, bitOffset: 0 }]),
      ptr(2),
      funcProto(3, [['arg', 2]]),
      ptr(4),
    );
    expect(kept(behind, spec(12, 3, 0))).toEqual({ ids: [2, 3], members: [] });
    // A match compares a parameter's members, even if a pointer leads to the prototype.
    expect(kept(behind, spec(12, 5, 0))).toEqual({ ids: [1, 2, 3, 4, 5], members: [['x']] });
  });

  it('tags and forward declarations, where bpftool gives up', () => {
    const odd = table(fwd('f'), typeTag('user', 1), ptr(2));
    expect(kept(odd, spec(8, 3, 0)).ids).toEqual([1, 2, 3]);
  });
});

it('an enumerator keeps its enum, with all values', () => {
  const { blob } = minBtf(t, [spec(10, 7, 1)]);
  const copy = tableOf(blob);
  expect(lastId(copy)).toBe(1);
  expect(blob.length).toBe(24 + 12 + 2 * 8 + '\0e\0A\0B\0'.length);
});

it('local ids and unknown kinds need no types', () => {
  expect(kept(t, spec(6, 3, 0), spec(13, 3, 0)).ids).toEqual([]);
});

it('a circle of types ends', () => {
  const circle = table(
    typedef('fn', 2),
    ptr(3),
    funcProto(1, [['next', 1]]),
    struct('s', 8, [{ name: 'self', type: 4, bitOffset: 0 }]),
  );
  expect(kept(circle, spec(8, 1, 0)).ids).toEqual([1, 2, 3]);
  expect(kept(circle, spec(12, 4, 0)).ids).toEqual([4]);
});

it('a chain of ten thousand pointers is followed', () => {
  const chain = table(
    ...Array.from({ length: 10_000 }, (_, i) => ptr(i + 2)),
    record(1, { tail: () => [] }),
  );
  expect(kept(chain, spec(8, 1, 0)).ids).toHaveLength(10_000);
});

it('more records keep more types, and keep those of fewer records unchanged', () => {
  const anySpec = fc
    .tuple(
      fc.constantFrom(0, 2, 7, 8, 10, 12),
      fc.integer({ min: 1, max: 9 }),
      fc.array(fc.nat(3), { maxLength: 4 }),
    )
    .map(([kind, root, raw]) => spec(kind, root, 0, ...raw));
  fc.assert(
    fc.property(fc.array(anySpec), fc.array(anySpec), (some, more) => {
      const few = minBtf(t, some);
      const many = minBtf(t, [...some, ...more]);
      for (const id of few.idMap.keys()) expect(many.idMap.has(id)).toBe(true);
      expect(many.memberCount).toBeGreaterThanOrEqual(few.memberCount);
      const copy = tableOf(many.blob);
      for (const [id, newId] of many.idMap) {
        expect(kindOf(copy, typeId(newId))).toBe(kindOf(t, id));
        expect(nameOf(copy, typeId(newId))).toBe(nameOf(t, id));
      }
    }),
  );
});
