import { describe, expect, it } from 'vitest';
import { sectionIndex } from '#model/ids.ts';
import { nameOf } from '#model/type-table.ts';
import { btfBlob } from '#testing/btf-blob.ts';
import { datasec, func, funcProto, int, struct, variable } from '#testing/btf-types.ts';
import { elfObject } from '#testing/elf-object.ts';
import { openModel } from '#testing/open-model.ts';
import { typeOfPlace, typeOfTarget } from './relocation-types.ts';

const { bytes: btf } = btfBlob({
  types: [
    int('int', 4),
    struct('ops', 8, [{ name: 'open', type: 1, bitOffset: 0 }]),
    variable('my_ops', 2),
    datasec('.data', 16, [[3, 8, 8]]),
    funcProto(1, []),
    func('probe', 5),
    struct('module', 16, [{ name: 'state', type: 1, bitOffset: 0 }]),
  ],
});

async function openModule() {
  const data = new Uint8Array(16);
  const { bytes } = elfObject({
    header: { machine: 62 },
    sections: [
      { name: '.data', flags: 3, data },
      { name: '.gnu.linkonce.this_module', flags: 3, data },
      { name: '.BTF', data: btf },
    ],
  });
  const model = await openModel('a.ko', bytes);
  const { types } = model;
  if (types === null) throw new Error('no types');
  return { model, nameOfType: (id: number | null) => id && nameOf(types, id as never) };
}

describe('the type of a target', () => {
  it('is its FUNC, or the type of its variable', async () => {
    const { model, nameOfType } = await openModule();
    const target = { section: null, offset: 0n };
    const typeOf = (name: string, what: 'variable' | 'extern' | 'section') =>
      nameOfType(typeOfTarget(model, { ...target, name, what }));
    expect(typeOf('my_ops', 'variable')).toBe('ops');
    expect(typeOf('probe', 'extern')).toBe('probe');
    expect(typeOf('probe', 'variable')).toBeNull();
    expect(typeOf('my_ops', 'section')).toBeNull();
    expect(typeOf('other', 'extern')).toBeNull();
  });
});

describe('the type of a place', () => {
  it('is that of the variable in DATASEC, or struct module', async () => {
    const { model, nameOfType } = await openModule();
    const typeAt = (section: number, byteOffset: number) =>
      nameOfType(typeOfPlace(model, { section: sectionIndex(section), byteOffset, bitSize: 64 }));
    expect(typeAt(1, 8)).toBe('ops');
    expect(typeAt(1, 0)).toBeNull();
    expect(typeAt(2, 8)).toBe('module');
  });
});
