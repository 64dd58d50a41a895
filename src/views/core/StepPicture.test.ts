import { describe, expect, it } from 'vitest';
import { walkAccess } from '#analysis/core/parse-spec.ts';
import { type TypeId, typeId } from '#model/ids.ts';
import type { TypeTable } from '#model/type-table.ts';
import { accessTypes, typesOf } from '#testing/access-types.ts';
import { array, int, struct, union } from '#testing/btf-types.ts';
import { stripOf, structMap } from './StepPicture.tsx';

const S: TypeId = typeId(4);
const walk = (t: TypeTable, accessStr: string, kind = 0) => walkAccess(t, S, accessStr, kind);

describe('stripOf', () => {
  const strip = async (accessStr: string, t?: TypeTable) => {
    const types = t ?? (await accessTypes());
    const step = walk(types, accessStr).steps.at(-1);
    return step === undefined ? null : stripOf(types, step);
  };

  it('draws the members of a struct with its holes', async () => {
    const drawn = await strip('0:1');
    expect(drawn?.form).toBe('struct');
    expect(
      drawn?.parts.map(
        (p) => `${p.kind} ${p.name} ${p.bitOffset}+${p.bitSize}${p.isPicked ? ' *' : ''}`,
      ),
    ).toEqual([
      'member x 0+32',
      'hole  32+32',
      'member  64+32 *',
      'member m 96+128',
      'padding  224+32',
    ]);
  });

  it('draws a union, an array, and elements before the one that is pointed at', async () => {
    expect((await strip('0:1:1'))?.form).toBe('union');
    const elements = await strip('0:2:3');
    expect(elements?.parts.map((p) => p.name)).toEqual(['[0]', '[1]', '[2]', '[3]']);
    expect(elements?.sizeBytes).toBe(16);
    expect((await strip('2'))?.parts.map((p) => p.isPicked)).toEqual([false, false, true]);
    expect(await strip('0')).toBeNull();
  });

  it('draws a window of large structs', async () => {
    const wide = await typesOf(
      int('int', 4),
      array(1, 1, 1000000),
      int('char', 1),
      struct(
        's',
        4000,
        Array.from({ length: 1000 }, (_, i) => ({ name: `m${i}`, type: 1, bitOffset: 32 * i })),
      ),
    );
    for (const picked of [0, 20, 500, 999]) {
      const drawn = await strip(`0:${picked}`, wide);
      expect(drawn?.parts).toHaveLength(40);
      expect(drawn?.parts.find((p) => p.isPicked)?.name).toBe(`m${picked}`);
      expect((drawn?.before ?? 0) + 40 + (drawn?.after ?? 0)).toBe(1000);
    }
    expect((await strip('2000000000', wide))?.parts).toHaveLength(24);
  });
});

const field = (name: string, type: number, bitOffset: number, bitfieldSize = 0) => ({
  name,
  type,
  bitOffset,
  bitfieldSize,
});

function drawn(t: TypeTable, id: number, picked: number | null = null): string[] {
  const map = structMap(t, typeId(id), picked);
  if (map === null) throw new Error('there is a map');
  return map.strips.map((strip) => {
    if (strip.kind === 'left-out') return `… ${strip.startByte}-${strip.endByte}`;
    const boxes = strip.boxes.map(({ row, bits, isRest }) => {
      const { kind = 'hole', name = '' } = map.rows[row] ?? {};
      const word = kind === 'member' ? name || '(anon)' : kind;
      return `${word}${isRest ? '~' : ''}/${bits}${row === map.pickedRow ? '*' : ''}`;
    });
    return `${strip.startByte}: ${boxes.join(' ')}`;
  });
}

describe('structMap', () => {
  it('draws bits, holes, members without a name and padding, eight bytes a line', async () => {
    const t = await typesOf(
      int('int', 4),
      union('', 4, [field('u', 1, 0)]),
      struct('s', 24, [
        field('a', 1, 0, 3),
        field('b', 1, 3, 5),
        field('c', 1, 32),
        field('', 2, 64),
        field('d', 1, 128),
      ]),
    );
    expect(drawn(t, 3, 1)).toEqual([
      '0: a/3 b/5* hole/24 c/32',
      '8: (anon)/32 hole/32',
      '16: d/32 padding/32',
    ]);
  });

  it('continues long members on the next line', async () => {
    const t = await typesOf(
      int('long', 8),
      array(1, 1, 2),
      int('int', 4),
      struct('s', 28, [field('i', 3, 0), field('l', 2, 64), field('j', 3, 192)]),
    );
    expect(drawn(t, 4, 1)).toEqual(['0: i/32 hole/32', '8: l/64*', '16: l~/64*', '24: j/32']);
  });

  it('leaves out members far from the accessed one, and the middle of a long one', async () => {
    const longs = Array.from({ length: 40 }, (_, i) => field(`m${i}`, 1, 64 * i));
    const t = await typesOf(
      int('long', 8),
      struct('wide', 320, longs),
      array(1, 1, 100),
      struct('long', 816, [field('a', 1, 0), field('b', 3, 64), field('c', 1, 64 * 101)]),
    );
    expect(drawn(t, 2, 20)).toEqual([
      '0: m0/64',
      '… 8-136',
      ...[17, 18, 19, 20, 21, 22, 23].map((i) => `${8 * i}: m${i}/64${i === 20 ? '*' : ''}`),
      '… 192-312',
      '312: m39/64',
    ]);
    expect(drawn(t, 4, 1)).toEqual([
      '0: a/64',
      '8: b/64*',
      '16: b~/64*',
      '… 24-792',
      '792: b~/64*',
      '800: b~/64*',
      '808: c/64',
    ]);
  });

  it('has no map of unions, of empty structs, and of overlapping members', async () => {
    const t = await typesOf(
      int('int', 4),
      union('u', 4, [field('a', 1, 0)]),
      struct('empty', 0, []),
      struct('over', 8, [field('a', 1, 0), field('b', 1, 16)]),
      struct('out', 4, [field('a', 1, 32)]),
    );
    for (const id of [1, 2, 3, 4, 5, 99]) expect(structMap(t, typeId(id), 0)).toBeNull();
  });

  it('draws a few lines of a struct of 4 GB', async () => {
    const t = await typesOf(int('int', 4), struct('huge', 0xffffffff, [field('a', 1, 0)]));
    expect(drawn(t, 2, 0).length).toBeLessThan(12);
  });
});
