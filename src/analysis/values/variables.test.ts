import { describe, expect, it } from 'vitest';
import { legacyMaps } from '#analysis/libbpf/defined-maps.ts';
import { failureText } from '#analysis/libbpf/outcome.ts';
import { loadFacts } from '#analysis/libbpf/programs.ts';
import type { ObjectModel } from '#model/object-model.ts';
import { partsOf } from '#testing/all-at-once.ts';
import { i32, u32, u64 } from '#testing/assemble.ts';
import { btfBlob } from '#testing/btf-blob.ts';
import { datasec, int, ptr, struct, type TypeRecord, variable } from '#testing/btf-types.ts';
import { type ElfSymbol, elfObject } from '#testing/elf-object.ts';
import { openObject } from '#testing/open-model.ts';
import { sampleObject, sectionCalled } from '#testing/samples.ts';
import type { Value } from './decode.ts';
import { dataSections, type SectionBytes, stringSections, stringsOf } from './object-data.ts';
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

describe('offset of a variable', () => {
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
      {
        name: 'cut',
        mapType: 0,
        maxEntries: null,
        faults: [{ cause: expect.stringContaining('12 bytes') }],
      },
    ]);
  });

  it('have no key type if its size differs', async () => {
    const { model, sectionBytes } = await opened(8);
    expect(legacyMaps(model, sectionBytes)[0]?.key).toEqual({ type: null, byteSize: 8 });
  });

  type Definition = {
    readonly name: string;
    readonly words: readonly number[];
    readonly size?: number;
  };

  /** Returns an object whose section `maps` has the definitions. Symbol sizes are optional. */
  const defined = (definitions: readonly Definition[], own: readonly TypeRecord[] = []) => {
    let value = 0;
    const symbols = definitions.map(({ name, words, size = 0 }): ElfSymbol => {
      const symbol = { name, value, size, type: 1, shndx: 'maps' };
      value += 4 * words.length;
      return symbol;
    });
    const data = definitions.flatMap(({ words }) => words.map(u32));
    const blob = btfBlob({ types: own, endian }).bytes;
    return openObject(
      'a.o',
      elfObject({
        endian,
        sections: [
          { name: 'maps', flags: 3, data },
          { name: '.BTF', data: blob },
        ],
        // The symbols are not in the order of their offsets.
        symbols: symbols.reverse(),
      }).bytes,
    ).then(withBytes);
  };
  const HASH = [1, 4, 8, 100, 1];

  it('are in the order of their places, and as long as their symbols or the distance to the next', async () => {
    const { model, sectionBytes } = await defined([
      { name: 'one', words: HASH },
      { name: 'two', words: [...HASH, 0, 0], size: 28 },
      { name: 'three', words: [2, 4, 4] },
    ]);
    const maps = legacyMaps(model, sectionBytes);
    expect(maps.map(({ name, byteOffset, byteSize }) => [name, byteOffset, byteSize])).toEqual([
      ['one', 0, 20],
      ['two', 20, 28],
      ['three', 48, 12],
    ]);
    expect(
      maps.map(({ mapType, maxEntries, faults }) => [mapType, maxEntries, faults.map(failureText)]),
    ).toEqual([
      [1, 100n, []],
      [1, 100n, []],
      [2, null, ['12 bytes, fewer than the 20 of bpf_map_def']],
    ]);
  });

  it.each([
    [[], []],
    [
      [5, 0xffffffff],
      [
        ['inner_map_idx', 5n],
        ['numa_node', 0xffffffffn],
      ],
    ],
    [
      [7, 2, 0, 3],
      [
        ['id', 7n],
        ['pinning', 2n],
        ['inner_id', 0n],
        ['inner_idx', 3n],
      ],
    ],
    [[0], [['bytes 20 to 23', '00000000']]],
  ])('name the words %j after map_flags by their number', async (words, extra) => {
    const { model, sectionBytes } = await defined([{ name: 'a', words: [...HASH, ...words] }]);
    const [map] = legacyMaps(model, sectionBytes);
    expect(map?.extra.map(({ name, value }) => [name, value])).toEqual(extra);
    const isRefused = words.some((word) => word !== 0);
    expect(map?.faults.map(failureText)).toEqual(
      isRefused ? [expect.stringContaining('non-zero bytes')] : [],
    );
  });

  it("name them as the variable's struct in BTF does", async () => {
    const names = ['type', 'key', 'value', 'max', 'flags', 'first', 'second', 'third'];
    const members = names.map((name, i) => ({ name, type: 1, bitOffset: 32 * i }));
    const own = [int('int', 4), struct('map_def', 32, members), variable('a', 2, 1)];
    const words = [...HASH, 1, 2, 3];
    const { model, sectionBytes } = await defined([{ name: 'a', words }], own);
    const fields = [
      { name: 'first', value: 1n },
      { name: 'second', value: 2n },
      { name: 'third', value: 3n },
    ];
    expect(legacyMaps(model, sectionBytes)[0]?.extra).toEqual(fields);
    // This definition is longer than its struct, so the struct does not describe it.
    const longer = await defined([{ name: 'a', words: [...words, 4] }], own);
    const [map] = legacyMaps(longer.model, longer.sectionBytes);
    expect(map?.extra.map(({ name }) => name)).toEqual(['id', 'pinning', 'inner_id', 'inner_idx']);
  });

  it('have a namespace, in gobpf, and are cut after the known fields', async () => {
    const text = [0x61626364, ...Array.from({ length: 63 }, () => 0)];
    const { model, sectionBytes } = await defined([
      { name: 'a', words: [...HASH, 2, ...text] },
      { name: 'b', words: [...HASH, ...Array.from({ length: 100 }, () => 0)] },
    ]);
    const [a, b] = legacyMaps(model, sectionBytes);
    const namespace = endian === 'big' ? 'abcd' : 'dcba';
    expect(a?.extra).toEqual([
      { name: 'pinning', value: 2n },
      { name: 'namespace', value: namespace },
    ]);
    expect(b?.extra).toEqual([{ name: 'bytes 20 to 419', value: `${'00'.repeat(64)}…` }]);
  });

  it('tell of a symbol that runs past the end of the section', async () => {
    const { model, sectionBytes } = await defined([{ name: 'a', words: HASH, size: 0x7fffffff }]);
    expect(legacyMaps(model, sectionBytes)).toMatchObject([
      { mapType: null, faults: [{ cause: expect.stringContaining('past the end') }] },
    ]);
  });
});
