import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { typeId } from '#model/ids.ts';
import { kindOf, lastId, nameOf, type TypeTable } from '#model/type-table.ts';
import { btfBlob } from '#testing/btf-blob.ts';
import { enum64, enumeration, fwd, ptr, struct, typedef, union } from '#testing/btf-types.ts';
import { tableOf } from '#testing/type-table.ts';
import { essentialNameIndex, findByEssentialName, kindClass } from './candidates.ts';
import { essentialName } from './essential-name.ts';

const bytesOf = (name: string) => new TextEncoder().encode(name);
const name = fc.constantFrom(
  '',
  'a',
  'a___x',
  'a___y',
  'ab',
  'b',
  'a____x',
  '___x',
  'b___',
  'x___y___z',
);
const record = fc.tuple(fc.nat(6), name).map(([kind, text]) => {
  switch (kind) {
    case 0:
      return struct(text, 4, []);
    case 1:
      return union(text, 4, []);
    case 2:
      return enumeration(text, []);
    case 3:
      return enum64(text, []);
    case 4:
      return fwd(text);
    case 5:
      return typedef(text, 0);
    default:
      return ptr(0);
  }
});

/** Returns the ids of own types with the name and kind, by comparing every type. */
function searched(t: TypeTable, wanted: string, kind: number): number[] {
  const found: number[] = [];
  for (let at = t.firstId; at <= lastId(t); at++) {
    const id = typeId(at);
    const text = nameOf(t, id);
    if (text === '' || kindClass(kindOf(t, id)) !== kindClass(kind)) continue;
    if (essentialName(text) === essentialName(wanted)) found.push(at);
  }
  return found;
}

describe('findByEssentialName', () => {
  it('finds what a walk over all types finds, in the same order', () => {
    fc.assert(
      fc.property(fc.array(record, { maxLength: 60 }), name, fc.nat(19), (types, wanted, kind) => {
        const t = tableOf(btfBlob({ types }).bytes);
        const found = findByEssentialName(essentialNameIndex(t), bytesOf(wanted), kind);
        expect(found).toEqual(searched(t, wanted, kind));
      }),
    );
  });

  it('gives own types only, with names in either string section', () => {
    const base = btfBlob({ types: [struct('both', 4, []), struct('base', 4, [])] });
    const under = tableOf(base.bytes);
    const length = under.strEnd - under.strStart;
    const own = btfBlob({
      types: [struct(base.stringOff('base'), 8, []), struct('both___2', 8, [])],
      baseStringLength: length,
    });
    const t = tableOf(own.bytes, under);
    const index = essentialNameIndex(t);
    expect(findByEssentialName(index, bytesOf('base'), 4)).toEqual([3]);
    expect(findByEssentialName(index, bytesOf('both___x'), 4)).toEqual([4]);
    expect(essentialNameIndex(t)).toBe(index);
  });

  it('compares bytes, not what they look like', () => {
    const text = (bytes: number[]) => [0, ...bytes, 0, ...bytesOf(String.raw`\xff`), 0];
    const t = tableOf(
      btfBlob({
        strings: Uint8Array.from(text([0xff])),
        types: [struct(1, 4, []), struct(3, 4, [])],
      }).bytes,
    );
    expect([nameOf(t, typeId(1)), nameOf(t, typeId(2))]).toEqual([
      String.raw`\xff`,
      String.raw`\xff`,
    ]);
    expect(findByEssentialName(essentialNameIndex(t), Uint8Array.of(0xff), 4)).toEqual([1]);
    expect(findByEssentialName(essentialNameIndex(t), bytesOf(String.raw`\xff`), 4)).toEqual([2]);
  });
});
