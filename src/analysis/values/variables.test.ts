import { describe, expect, it } from 'vitest';
import type { ObjectModel } from '#model/object-model.ts';
import { partsOf } from '#testing/all-at-once.ts';
import { i32, u32, u64 } from '#testing/assemble.ts';
import { btfBlob } from '#testing/btf-blob.ts';
import { datasec, int, ptr, struct, type TypeRecord, variable } from '#testing/btf-types.ts';
import { type ElfSymbol, elfObject } from '#testing/elf-object.ts';
import { openObject } from '#testing/open-model.ts';
import { sampleObject, sectionCalled } from '#testing/samples.ts';
import type { Value } from './decode.ts';
import { legacyMaps } from './defined-maps.ts';
import {
  dataSections,
  loadFacts,
  type SectionBytes,
  stringSections,
  stringsOf,
} from './object-data.ts';
import { type Variable, variablesOf, variableValue } from './variables.ts';

async function withBytes({ model, source }: Awaited<ReturnType<typeof openObject>>) {
  const held = new Map<number, Uint8Array>();
  for (const section of dataSections(model)) {
    const start = model.sections.fileOffset[section] ?? 0;
    held.set(section, await source.read(start, start + (model.sections.byteLength[section] ?? 0)));
  }
  const sectionBytes: SectionBytes = (section) => held.get(section) ?? null;
  return { model, sectionBytes };
}

function named(model: ObjectModel, name: string): Variable {
  const found = variablesOf(model).find((variable) => variable.name === name);
  if (found === undefined) throw new Error(`no variable ${name}`);
  return found;
}

function pointer({ content }: Value) {
  if (content.kind !== 'pointer' || content.target === null) return null;
  const { name, what, delta, text } = content.target;
  return [name, what, delta, text && new TextDecoder().decode(text)];
}

describe.each(['data_relocs.bpf.o', 'data_relocs.be.bpf.o'])('pointers of %s', (file) => {
  it.each([
    ['table', ['first', 'function', 0n, null]],
    ['middle', ['numbers', 'variable', 20n, null]],
    ['hidden_middle', ['hidden', 'variable', 8n, null]],
    ['cursor', ['scratch', 'variable', 24n, null]],
    ['text', ['greeting', 'variable', 1n, null]],
    ['begin', ['.rodata.str1.1', 'string', 0n, 'begin']],
    ['last', ['.rodata.str1.1', 'string', 6n, 'last']],
  ])('%s', async (name, target) => {
    const { model, sectionBytes } = await withBytes(await sampleObject(file));
    const value = variableValue(model, sectionBytes, named(model, name));
    if (value === null) throw new Error('no value');
    const [first = value] = partsOf(value);
    expect(pointer(first)).toEqual(target);
  });

  it('are listed with the strings themselves, and the licence', async () => {
    const { model, sectionBytes } = await withBytes(await sampleObject(file));
    const [section] = stringSections(model);
    expect(section).toBe(sectionCalled(model, '.rodata.str1.1'));
    const strings = [
      ...stringsOf(sectionBytes(sectionCalled(model, '.rodata.str1.1')) ?? new Uint8Array(0)),
    ];
    expect(strings.map(({ byteOffset }) => byteOffset)).toEqual([0, 6]);
    expect(loadFacts(model, sectionBytes)).toEqual({ license: 'GPL', version: null });
  });
});

const TYPES = [
  int('int', 4, { encoding: 1 }),
  variable('one', 1),
  variable('two', 1),
  variable('kept', 1, 0),
  variable('far', 1),
  datasec('.data', 0, [
    [2, 0, 4],
    [3, 0, 4],
    [4, 8, 4],
    [5, 0, 4],
  ]),
];

function object(types: readonly TypeRecord[], symbols: readonly ElfSymbol[]) {
  return openObject(
    'a.o',
    elfObject({
      sections: [
        { name: '.data', flags: 3, data: [i32(1), i32(-2), i32(3)] },
        { name: '.BTF', data: btfBlob({ types }).bytes },
        { name: 'version', data: [u32(0x60c00)] },
      ],
      symbols,
    }).bytes,
  );
}

describe('where a variable lies', () => {
  const at = (name: string, value: number, bind = 1): ElfSymbol => ({
    name,
    value,
    size: 4,
    type: 1,
    bind,
    shndx: '.data',
  });

  it("has the symbol's size where BTF has 0, and an undefined one is extern", async () => {
    const symbols = [at('func.kept', 8, 0), at('one', 4, 2), at('two', 0), { name: 'far' }];
    const { model, sectionBytes } = await withBytes(await object(TYPES, symbols));
    const rows = variablesOf(model).map((variable) => [
      variable.name,
      variable.byteOffset,
      variable.linkage,
      variableValue(model, sectionBytes, variable)?.content,
    ]);
    expect(rows).toEqual([
      ['one', 4, 'weak', { kind: 'int', value: -2n }],
      ['two', 0, 'global', { kind: 'int', value: 1n }],
      ['kept', 8, 'static', { kind: 'int', value: 3n }],
      ['far', null, 'extern', undefined],
    ]);
    expect(loadFacts(model, sectionBytes).version).toBe(0x60c00);
  });

  it('is listed without a type if BTF does not have it', async () => {
    const { model } = await withBytes(await object([], [at('alone', 8)]));
    expect(variablesOf(model)).toMatchObject([
      { name: 'alone', section: '.data', type: null, byteOffset: 8, byteSize: 4 },
    ]);
  });

  it('may be past the end of the section: then the value is cut', async () => {
    const { model, sectionBytes } = await withBytes(await object(TYPES, [at('one', 10)]));
    const value = variableValue(model, sectionBytes, named(model, 'one'));
    expect(value?.content).toEqual({ kind: 'truncated' });
  });
});

describe.each(['little', 'big'] as const)('maps of before 2019, %s-endian', (endian) => {
  const types = [
    int('int', 4, { encoding: 1 }),
    struct('tmp_t', 12, []),
    struct('____btf_map_tmpmap', 16, [
      { name: 'key', type: 1, bitOffset: 0 },
      { name: 'value', type: 2, bitOffset: 32 },
    ]),
    ptr(1),
  ];
  const opened = (keySize: number) =>
    openObject(
      'a.o',
      elfObject({
        endian,
        sections: [
          { name: 'maps', flags: 3, data: [u32(2), u32(keySize), u32(12), u32(1), u32(0), u64(0)] },
          { name: '.BTF', data: btfBlob({ types, endian }).bytes },
        ],
        symbols: [
          { name: 'tmpmap', size: 28, type: 1, shndx: 'maps' },
          { name: 'cut', value: 16, size: 12, type: 1, shndx: 'maps' },
        ],
      }).bytes,
    ).then(withBytes);

  it('have five words, and types where BPF_ANNOTATE_KV_PAIR left them', async () => {
    const { model, sectionBytes } = await opened(4);
    expect(legacyMaps(model, sectionBytes)).toMatchObject([
      {
        name: 'tmpmap',
        mapTypeName: 'BPF_MAP_TYPE_ARRAY',
        key: { type: 1, byteSize: 4 },
        value: { type: 2, byteSize: 12 },
        maxEntries: 1n,
        mapFlags: 0n,
        faults: [],
      },
      { name: 'cut', mapType: null, faults: [expect.stringContaining('past the end')] },
    ]);
  });

  it('have no key type where its size is another', async () => {
    const { model, sectionBytes } = await opened(8);
    expect(legacyMaps(model, sectionBytes)[0]?.key).toEqual({ type: null, byteSize: 8 });
  });
});
