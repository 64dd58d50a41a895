import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { btfBlob } from '#testing/btf-blob.ts';
import {
  array,
  datasec,
  enumeration,
  func,
  funcProto,
  int,
  ptr,
  record,
  struct,
  type TypeRecord,
  variable,
} from '#testing/btf-types.ts';
import { type ElfSymbol, elfObject } from '#testing/elf-object.ts';
import { openModel } from '#testing/open-model.ts';
import { runs } from '#testing/runs.ts';
import { checkBtf } from './check-btf.ts';
import { asLoaded } from './fixups.ts';

const EXTERN = 2;
const word = int('int', 4);
const char = int('char', 1, { encoding: 1 });
const object = { type: 1, bind: 1 };
const symbol = (name: string, more: Partial<ElfSymbol> = {}): ElfSymbol => ({ name, ...more });

/** Returns the rewritten BTF of an object with 16 bytes of .data and 8 of .bss. */
async function load(
  types: readonly TypeRecord[],
  symbols: readonly ElfSymbol[] = [symbol('other', { bind: 0 })],
  endian: 'little' | 'big' = 'little',
) {
  const btf = btfBlob({ types, endian });
  const elf = elfObject({
    endian,
    sections: [
      { name: '.data', data: new Uint8Array(16) },
      { name: '.bss', type: 8, size: 8 },
      { name: '.BTF', data: btf.bytes },
    ],
    symbols,
  });
  const model = await openModel('x.o', elf.bytes);
  const loaded = asLoaded(model);
  if (loaded === null) throw new Error('nothing was loaded');
  return { btf, model, loaded, kernel: checkBtf(loaded.blob, null).kernel };
}

const sentencesOf = ({ rewrites }: { rewrites: readonly { sentence: string }[] }) =>
  rewrites.map(({ sentence }) => sentence);

describe('sections of variables', () => {
  const types = [
    word,
    variable('a', 1),
    variable('b', 1),
    datasec('.data', 0, [
      [2, 0, 4],
      [3, 0, 4],
    ]),
  ];
  const symbols = [
    symbol('a', { ...object, value: 8, shndx: '.data' }),
    symbol('b', { ...object, value: 4, shndx: '.data', other: 2 }),
  ];

  it.each(['little', 'big'] as const)('get sizes and places, sorted, %s-endian', async (endian) => {
    const { btf, loaded } = await load(types, symbols, endian);
    expect(checkBtf(btf.bytes, null).native).toMatchObject({ word: 'size == 0' });
    expect(checkBtf(loaded.blob, null).native).toEqual({ verdict: 'ok' });
    const section = btf.typeOffsets[3] ?? 0;
    expect(loaded).toMatchObject({
      stopped: null,
      moreRewrites: 0,
      rewrites: [
        { typeId: 4, blobOffset: section + 8, before: '0', after: '16' },
        { typeId: 4, blobOffset: section + 16, before: '0', after: '8' },
        { typeId: 4, blobOffset: section + 28, before: '0', after: '4' },
        { typeId: 3, blobOffset: (btf.typeOffsets[2] ?? 0) + 12, before: '1', after: '0' },
        { typeId: 4, blobOffset: section + 12, length: 24, before: 'a, b', after: 'b, a' },
      ],
    });
  });

  it('are left as they are where a linker has filled them in', async () => {
    const linked = [word, variable('a', 1), datasec('.data', 8, [[2, 4, 4]])];
    const { btf, loaded } = await load(linked, symbols);
    const { types: rewritten, ...rest } = loaded;
    expect(rewritten.blob).toBe(rest.blob);
    expect(rest).toEqual({
      blob: btf.bytes,
      rewrites: [],
      moreRewrites: 0,
      stopped: null,
      failure: null,
    });
  });

  it('keep the places of static variables, and take the size of .bss from its header', async () => {
    const { loaded, kernel } = await load([
      word,
      variable('s', 1, 0),
      datasec('.bss', 0, [[2, 4, 4]]),
    ]);
    expect(sentencesOf(loaded)).toEqual(['libbpf takes the size of .bss from the ELF section.']);
    expect(kernel).toEqual({ verdict: 'ok' });
  });

  it('do not change the bytes of the model', async () => {
    const { btf, model } = await load(types, symbols);
    expect(model.types?.blob).toEqual(btf.bytes);
  });
});

describe('externs', () => {
  it('in .ksyms become global ints', async () => {
    const types = [
      word,
      variable('v', 3, EXTERN),
      struct('s', 0, []),
      datasec('.ksyms', 0, [[2, 0, 0]]),
    ];
    const { loaded, kernel } = await load(types, [symbol('v')]);
    expect(kernel).toEqual({ verdict: 'ok' });
    expect(sentencesOf(loaded)).toEqual([
      'libbpf makes the extern v global.',
      'libbpf gives the extern v the type int.',
      'libbpf gives v a place of 4 bytes in .ksyms.',
      'libbpf counts 4 bytes for each extern in .ksyms.',
    ]);
  });

  it.each(['little', 'big'] as const)(
    'functions are replaced by a stand-in, %s-endian',
    async (endian) => {
      const types = [
        word,
        funcProto(1, [['', 1]]),
        func('f', 2, EXTERN),
        datasec('.ksyms', 0, [[3, 0, 0]]),
      ];
      const { btf, loaded } = await load(types, [symbol('f')], endian);
      expect(checkBtf(loaded.blob, null).native).toEqual({ verdict: 'ok' });
      expect(loaded.blob.length).toBe(btf.bytes.length + 16 + 'dummy_ksym\0'.length);
      expect(loaded.rewrites).toContainEqual(
        expect.objectContaining({ typeId: 5, length: 16, after: 'VAR dummy_ksym' }),
      );
      expect(sentencesOf(loaded)).toContain('libbpf names argument 1 of f, which has no name.');
    },
  );

  it('take the name of the stand-in from the strings if it exists', async () => {
    const types = [
      word,
      funcProto(0),
      func('f', 2, EXTERN),
      datasec('.ksyms', 0, [[3, 0, 0]]),
      struct('dummy_ksym', 0, []),
    ];
    const { btf, loaded, kernel } = await load(types, [symbol('f')]);
    expect(loaded.blob.length).toBe(btf.bytes.length + 16);
    expect(kernel).toEqual({ verdict: 'ok' });
  });

  it('in .kconfig are laid out by alignment, size and name', async () => {
    const types = [
      word,
      char,
      array(2, 1, 3),
      int('long', 8),
      variable('b_int', 1, EXTERN),
      variable('chars', 3, EXTERN),
      variable('a_int', 1, EXTERN),
      variable('long_one', 4, EXTERN),
      datasec('.kconfig', 0, [
        [5, 0, 4],
        [6, 0, 3],
        [7, 0, 4],
        [8, 0, 8],
      ]),
    ];
    const names = ['b_int', 'chars', 'a_int', 'long_one'];
    const { loaded, kernel } = await load(
      types,
      names.map((name) => symbol(name)),
    );
    expect(kernel).toEqual({ verdict: 'ok' });
    expect(loaded.rewrites.at(-1)).toMatchObject({
      before: 'b_int, chars, a_int, long_one',
      after: 'long_one, a_int, b_int, chars',
    });
    expect(loaded.rewrites[0]).toMatchObject({ typeId: 9, after: '19' });
  });
});

describe('libbpf stops', () => {
  const extern = variable('v', 1, EXTERN);
  const bool = int('bool', 2, { encoding: 4 });

  it.each<[string, readonly TypeRecord[], readonly ElfSymbol[]]>([
    [
      'The size of section .rodata cannot be found in the ELF file.',
      [datasec('.rodata', 0, [])],
      [],
    ],
    [
      'There is no symbol for the variable v of .data.',
      [word, variable('v', 1), datasec('.data', 0, [[2, 0, 4]])],
      [],
    ],
    ['.data lists type 1, no variable.', [word, datasec('.data', 0, [[1, 0, 4]])], []],
    ['There is no BTF for the extern v.', [word], [symbol('v')]],
    [
      'The symbol v is extern, but its BTF, type 2, is not.',
      [word, variable('v', 1)],
      [symbol('v')],
    ],
    ['No DATASEC lists the extern v, type 2.', [word, extern], [symbol('v')]],
    [
      'The extern v is in .x; libbpf supports externs in .ksyms and .kconfig only.',
      [word, extern, datasec('.x', 0, [[2, 0, 0]])],
      [symbol('v')],
    ],
    [
      'The extern v has a type that .kconfig cannot have.',
      [bool, extern, datasec('.kconfig', 0, [[2, 0, 0]])],
      [symbol('v')],
    ],
    [
      '.ksyms lists w, for which there is no symbol.',
      [
        word,
        extern,
        variable('w', 1, EXTERN),
        datasec('.ksyms', 0, [
          [2, 0, 0],
          [3, 0, 0],
        ]),
      ],
      [symbol('v')],
    ],
    [
      '.ksyms lists v, no variable or function.',
      [
        word,
        extern,
        struct('v', 0, []),
        datasec('.ksyms', 0, [
          [2, 0, 0],
          [3, 0, 0],
        ]),
      ],
      [symbol('v')],
    ],
  ])('%s', async (stopped, types, symbols) => {
    const { loaded } = await load(types, [...symbols, symbol('other', { bind: 0 })]);
    expect(loaded.stopped).toBe(stopped);
  });

  it('without a symbol table', async () => {
    const { loaded } = await load([word], []);
    expect(loaded).toMatchObject({ stopped: 'The file has no symbol table.', rewrites: [] });
  });
});

it('gives null without BTF', async () => {
  const model = await openModel('x.o', elfObject({ symbols: [symbol('v')] }).bytes);
  expect(asLoaded(model)).toBeNull();
});

it('never throws, whatever a DATASEC lists and symbols say', async () => {
  const kinds = fc.tuple(
    fc.constantFrom(1, 2, 6, 7, 8, 12, 13, 14, 15),
    fc.nat(9),
    fc.constantFrom('v', 'w', ''),
  );
  const item = fc.tuple(fc.nat(12), fc.nat(9), fc.nat(9));
  const section = fc.tuple(
    fc.constantFrom('.ksyms', '.kconfig', '.data', '.bss', '.x'),
    fc.array(item, { maxLength: 4 }),
  );
  const value = fc.record({
    type: fc.nat(3),
    bind: fc.nat(2),
    value: fc.nat(99),
    other: fc.nat(3),
    shndx: fc.nat(3),
  });
  await fc.assert(
    fc.asyncProperty(
      fc.array(kinds, { maxLength: 6 }),
      fc.array(section, { maxLength: 4 }),
      fc.array(value, { minLength: 1, maxLength: 3 }),
      async (rows, sections, symbols) => {
        const types = rows.map(([kind, sizeOrType, name]) => {
          if (kind === 1) return int(name, sizeOrType);
          if (kind === 6) return enumeration('libbpf_tristate', [], { size: sizeOrType });
          if (kind === 12) return func(name, sizeOrType, EXTERN);
          if (kind === 13) return funcProto(0, [['', sizeOrType]]);
          if (kind === 14) return variable(name, sizeOrType, EXTERN);
          return kind === 2 ? ptr(sizeOrType) : record(kind, { name, sizeOrType });
        });
        const lists = sections.map(([name, items]) => datasec(name, 0, items));
        const named = symbols.map((fields, i) => symbol(i % 2 === 0 ? 'v' : 'w', fields));
        const { btf, loaded } = await load([...types, ...lists], named);
        if (loaded.rewrites.length === 0) expect(loaded.blob).toEqual(btf.bytes);
        for (const { blobOffset, length } of loaded.rewrites) {
          expect(blobOffset + length).toBeLessThanOrEqual(loaded.blob.length);
        }
      },
    ),
    { numRuns: runs(300) },
  );
});
