import { describe, expect, it } from 'vitest';
import { walkAccess } from '#analysis/core/access-path.ts';
import { type TypeId, typeId } from '#model/ids.ts';
import type { TypeTable } from '#model/type-table.ts';
import { accessTypes, typesOf } from '#testing/access-types.ts';
import { array, int, struct } from '#testing/btf-types.ts';
import { stripOf } from './strip-parts.ts';

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

  it('draws a window of what is large', async () => {
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
