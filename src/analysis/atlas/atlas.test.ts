/** Tests that an atlas answers questions, reproduces the BTF of a kernel and detects damage. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compileDeclarations } from '#analysis/workbench/workbench.ts';
import { Malformed } from '#bytes/issue.ts';
import { bufferSource } from '#bytes/source.ts';
import { AtlasFile } from '#formats/atlas/atlas-file.ts';
import { btfBlob } from '#testing/btf-blob.ts';
import {
  array,
  declTag,
  enum64,
  enumeration,
  func,
  funcProto,
  fwd,
  int,
  modifier,
  ptr,
  record,
  struct,
  typedef,
  typeTag,
  union,
} from '#testing/btf-types.ts';
import { corpusKernels, readCorpusFile } from '#testing/corpus.ts';
import { randomDeclarations } from '#testing/random-declarations.ts';
import { runs } from '#testing/runs.ts';
import { AtlasBytes, addBtf, atlasBytes, openAtlas, recordReads } from '#testing/small-atlas.ts';
import { RecordArchive } from './extract.ts';
import { historyOf } from './history.ts';
import { type Ask, answerOf } from './questions.ts';

/** Types with ids 1 to 8, which both kernels have; `struct s` uses some of these types. */
const common = [
  int('int', 4, { encoding: 1 }),
  int('long unsigned int', 8),
  ptr(4),
  struct('node', 16, [{ name: 'next', type: 3, bitOffset: 0 }]),
  modifier('const', 6),
  int('char', 1),
  ptr(5),
  array(6, 2, 16),
];
const older = btfBlob({
  types: [
    ...common,
    struct('s', 24, [
      { name: 'a', type: 1, bitOffset: 0 },
      { name: 'n', type: 3, bitOffset: 64 },
      { name: 'name', type: 7, bitOffset: 128 },
    ]),
    funcProto(1, [
      ['text', 7],
      ['n', 3],
    ]),
    func('f', 10, 1),
    typedef('name_t', 8),
    enumeration(
      'mode',
      [
        ['OFF', 0],
        ['LOW', -1],
      ],
      { signed: true },
    ),
  ],
}).bytes;
const newer = btfBlob({
  types: [
    ...common,
    union('', 8, [
      { name: 'x', type: 2, bitOffset: 0 },
      { name: 'y', type: 1, bitOffset: 32 },
    ]),
    struct('s', 48, [
      { name: 'a', type: 1, bitOffset: 0, bitfieldSize: 3 },
      { name: '', type: 9, bitOffset: 64 },
      { name: 'n', type: 3, bitOffset: 128 },
      { name: 'name', type: 8, bitOffset: 192 },
    ]),
    funcProto(0, [
      ['text', 7],
      ['', 0],
    ]),
    func('f', 11, 1),
    funcProto(0, []),
    func('f', 13, 0),
    enum64('mode', [['BIG', 0xffff_ffff_ffff_ffffn]]),
    typedef('name_t', 8),
  ],
}).bytes;
const kernels = { '6.2.0-amd64': newer, '6.1.0-amd64': older };

const asked = (ask: Ask, name: string, item = '') => ({ ask, name, item });

describe('answers', () => {
  it('have the kernels in the order of their versions, whatever order they came in', async () => {
    const atlas = await openAtlas(await atlasBytes(kernels));
    const answer = await answerOf(atlas, asked('struct', 's'));
    expect(Object.keys(answer.kernels)).toEqual(['6.1.0-amd64', '6.2.0-amd64']);
    expect(answer).toMatchObject({ count: 2, distinct_layouts: 2, missing: [] });
    expect(answer.kernels['6.2.0-amd64']).toMatchObject({ size: 48, members: 5, definitions: 1 });
  });

  it('open anonymous members, and give bits and the text of the type', async () => {
    const atlas = await openAtlas(await atlasBytes(kernels));
    const member = async (name: string) =>
      (await answerOf(atlas, asked('member', 's', name))).kernels;
    expect((await member('y'))['6.2.0-amd64']).toEqual({
      bit_offset: 96,
      bits: 32,
      type: 'int',
      byte_offset: 12,
      bytes: 4,
    });
    expect((await member('a'))['6.2.0-amd64']).toEqual({
      bit_offset: 0,
      bits: 3,
      type: 'int',
      byte_offset: 0,
    });
    expect(await member('name')).toMatchObject({
      '6.1.0-amd64': { type: 'const char *', bits: 64 },
      '6.2.0-amd64': { type: 'char [16]', bits: 128 },
    });
    expect(await answerOf(atlas, asked('member', 's', 'y'))).toMatchObject({
      struct_but_no_member: ['6.1.0-amd64'],
      count: 1,
      first: '6.2.0-amd64',
    });
  });

  it('have all prototypes of a function name', async () => {
    const atlas = await openAtlas(await atlasBytes(kernels));
    expect((await answerOf(atlas, asked('func', 'f'))).kernels).toEqual({
      '6.1.0-amd64': { prototype: 'int f(const char *text, struct node *n)', params: 2 },
      '6.2.0-amd64': {
        prototype: 'void f(const char *text, ...)',
        params: 2,
        also: ['void f(void)'],
      },
    });
  });

  it('have values by the sign of the enum, and 64 bits', async () => {
    const atlas = await openAtlas(await atlasBytes(kernels));
    const value = async (item: string) =>
      (await answerOf(atlas, asked('enumerator', 'mode', item))).kernels;
    expect(await value('LOW')).toEqual({ '6.1.0-amd64': { value: -1, definitions: 1 } });
    expect(await value('BIG')).toEqual({
      '6.2.0-amd64': { value: 0xffff_ffff_ffff_ffffn, definitions: 1 },
    });
  });

  it('are empty for a name that no kernel has', async () => {
    const atlas = await openAtlas(await atlasBytes(kernels));
    expect(await answerOf(atlas, asked('func', 'g'))).toEqual({
      kernels: {},
      count: 0,
      distinct: 0,
      first: null,
      last: null,
    });
    expect(await historyOf(atlas, 'zzz')).toBeNull();
  });

  it('omit type tags, and write qualifiers before the qualified type', async () => {
    const types = [
      int('int', 4),
      typeTag('rcu', 1),
      modifier('const', 2),
      ptr(3),
      modifier('const', 4),
      struct('t', 8, [{ name: 'p', type: 5, bitOffset: 0 }]),
    ];
    const atlas = await openAtlas(await atlasBytes({ k: btfBlob({ types }).bytes }));
    const { kernels: found } = await answerOf(atlas, asked('member', 't', 'p'));
    expect(found.k?.type).toBe('const int * const');
  });

  it('read the header, the directory and one block', async () => {
    const bytes = await atlasBytes(kernels);
    const { source, reads } = recordReads(bufferSource('a.btfatlas', bytes));
    await answerOf(await AtlasFile.open(source), asked('struct', 's'));
    expect(reads).toHaveLength(3);
  });

  it('list the forms of a type in order, with changes', async () => {
    const history = await historyOf(await openAtlas(await atlasBytes(kernels)), 's');
    expect(history).toMatchObject({
      kind: 'struct',
      forms: [
        { kernels: ['6.1.0-amd64'], changes: [] },
        {
          kernels: ['6.2.0-amd64'],
          changes: [
            { sign: '~', text: 'a: int, 4 bytes → int, 3 bits' },
            { sign: '+', text: 'x: long unsigned int, 8 bytes' },
            { sign: '+', text: 'y: int, 4 bytes' },
            { sign: '~', text: 'name: const char *, 8 bytes → char [16], 16 bytes' },
            { sign: '~', text: '1 member moved' },
          ],
        },
      ],
    });
  });
});

it('show the changed argument of a tracepoint and of a function', async () => {
  const kernel = (types: readonly number[]) =>
    btfBlob({
      types: [
        int('int', 4, { encoding: 1 }),
        int('long int', 8, { encoding: 1 }),
        ptr(0),
        funcProto(0, [['', 3], ...types.map((type): [string, number] => ['', type])]),
        ptr(4),
        typedef('btf_trace_run', 5),
        funcProto(
          1,
          types.map((type): [string, number] => ['x', type]),
        ),
        func('run', 7, 1),
      ],
    }).bytes;
  const atlas = await openAtlas(
    await atlasBytes({ '6.1': kernel([1, 1]), '6.2': kernel([1, 2, 1]), '6.3': kernel([]) }),
  );
  const changes = async (name: string) =>
    (await historyOf(atlas, name))?.forms.map((form) =>
      form.changes.map(({ sign, text }) => `${sign} ${text}`),
    );
  expect(await changes('btf_trace_run')).toEqual([
    [],
    ['~ argument 2: int → long int', '+ argument 3: int'],
    ['- argument 1: int', '- argument 2: long int', '- argument 3: int'],
  ]);
  expect(await changes('run')).toEqual([
    [],
    ['~ argument 2: int x → long int x', '+ argument 3: int x'],
    ['- argument 1: int x', '- argument 2: long int x', '- argument 3: int x'],
  ]);
});

async function extracted(bytes: Uint8Array, name: string): Promise<Uint8Array> {
  const atlas = await openAtlas(bytes);
  const number = atlas.directory.kernels.findIndex((kernel) => kernel.name === name);
  return await (await RecordArchive.open(atlas)).btf(number);
}

it('stores offsets after arrays of any size', async () => {
  const types = [
    int('int', 4),
    array(1, 1, 0xffffffff),
    array(2, 1, 0xffffffff),
    struct('huge', 0xffffffff, [
      { name: 'a', type: 3, bitOffset: 0 },
      { name: 'b', type: 1, bitOffset: 0xffffffe0 },
    ]),
  ];
  const atlas = await openAtlas(await atlasBytes({ k: btfBlob({ types }).bytes }));
  const { kernels: found } = await answerOf(atlas, asked('member', 'huge', 'b'));
  expect(found.k).toMatchObject({ bit_offset: 0xffffffe0, bits: 32 });
});

describe('the BTF of a kernel', () => {
  it('comes out byte for byte', async () => {
    const bytes = await atlasBytes(kernels);
    for (const [name, btf] of Object.entries(kernels)) {
      expect(await extracted(bytes, name)).toEqual(new Uint8Array(btf));
    }
  });

  const twice = struct('twice', 4, [{ name: 'a', type: 1, bitOffset: 0 }]);
  const odd: Readonly<Record<string, Uint8Array>> = {
    'types of one name': btfBlob({
      types: [
        int('int', 4),
        twice,
        twice,
        ptr(3),
        ptr(2),
        struct('u', 8, [{ name: 'p', type: 4, bitOffset: 0 }]),
      ],
    }).bytes,
    'equal types without a name': btfBlob({
      types: [int('int', 4), ptr(1), ptr(1), typedef('t', 3), declTag('tag', 4)],
    }).bytes,
    'types without names in a circle': btfBlob({ types: [ptr(2), modifier('const', 1)] }).bytes,
    'a reference to nothing': btfBlob({ types: [ptr(9), fwd('f')] }).bytes,
    'a name inside of another one': btfBlob({ strings: ['abcdef'], types: [int(3, 4)] }).bytes,
    'a string twice': btfBlob({
      strings: Uint8Array.of(0, 97, 0, 97, 0),
      types: [int(1, 4), int(3, 8)],
    }).bytes,
    'strings that no type names': btfBlob({ strings: ['x', 'yy', 'x1'], types: [int('int', 4)] })
      .bytes,
    'big-endian': btfBlob({ endian: 'big', types: common }).bytes,
    'a longer header': btfBlob({ headerLength: 32, types: common }).bytes,
    'a kind that is not known': btfBlob({
      types: [int('int', 4), record(23, { name: 'x', vlen: 2, sizeOrType: 1 })],
      layout: Array.from({ length: 24 }, (_, kind) => ({
        infoSize: 0,
        elemSize: kind === 23 ? 0 : 4,
      })),
    }).bytes,
  };

  it.each(Object.keys(odd))('comes out byte for byte with %s', async (what) => {
    const btf = odd[what] ?? new Uint8Array(0);
    const bytes = await atlasBytes({ first: older, odd: btf, last: newer });
    expect(await extracted(bytes, 'odd')).toEqual(new Uint8Array(btf));
    expect(await extracted(bytes, 'last')).toEqual(new Uint8Array(newer));
  });

  it('comes out byte for byte for any declarations', async () => {
    const seeds = fc.array(fc.nat(1_000_000), { minLength: 1, maxLength: 4 });
    await fc.assert(
      fc.asyncProperty(seeds, async (given) => {
        const made = given.map((seed, i) => {
          const { btf } = compileDeclarations(randomDeclarations(seed), 'little');
          return [`6.${i}.0`, new Uint8Array(btf)] as const;
        });
        const bytes = await atlasBytes(Object.fromEntries(made));
        for (const [name, btf] of made) expect(await extracted(bytes, name)).toEqual(btf);
      }),
      { numRuns: runs(50) },
    );
  });

  it('cannot be extracted from an atlas without records', async () => {
    const bytes = await atlasBytes(kernels, false);
    await expect(extracted(bytes, '6.1.0-amd64')).rejects.toThrow(/no BTF can be extracted/);
  });
});

describe('a second atlas out of the first', () => {
  const some = corpusKernels().slice(0, 3);
  const given = Object.fromEntries(some.map((kernel) => [kernel.id, readCorpusFile(kernel)]));

  it.each([true, false])('equals one of the same kernels (extract: %s)', async (extract) => {
    const [first = '', second = '', third = ''] = Object.keys(given);
    const before = await openAtlas(
      await atlasBytes({ [first]: given[first], [second]: given[second] } as typeof given, extract),
    );
    const grown = new AtlasBytes(extract);
    await grown.builder.take(before, () => true);
    await addBtf(grown.builder, third, given[third] ?? new Uint8Array(0));
    expect(Buffer.from(await grown.finish()).equals(await atlasBytes(given, extract))).toBe(true);
  });

  it('has no data of a removed kernel', async () => {
    const [first = '', second = '', third = ''] = Object.keys(given);
    const without = new AtlasBytes();
    await without.builder.take(await openAtlas(await atlasBytes(given)), (name) => name !== first);
    const left = await without.finish();
    const fresh = await atlasBytes({
      [second]: given[second],
      [third]: given[third],
    } as typeof given);
    expect(await entriesOf(await openAtlas(left))).toEqual(await entriesOf(await openAtlas(fresh)));
    // `left` keeps its records in insertion order, so it compresses slightly worse than `fresh`.
    expect(left.length / fresh.length).toBeLessThan(1.05);
    expect(
      Buffer.from(await extracted(left, third)).equals(given[third] ?? new Uint8Array(0)),
    ).toBe(true);
    const names = (await openAtlas(left)).directory.kernels.map((kernel) => kernel.name);
    expect(names).not.toContain(first);
  });
});

/** Returns the kind, the name and the number of variants of each entry, as text. */
async function entriesOf(atlas: AtlasFile): Promise<string[]> {
  const all: string[] = [];
  for (const place of atlas.directory.entries) {
    const { strings, entries } = await atlas.entryBlock(place);
    for (const { kind, name, variants } of entries) {
      all.push(`${kind} ${Buffer.from(strings[name] ?? []).toString('latin1')} ${variants.length}`);
    }
  }
  return all;
}

describe('damage', () => {
  it('of any byte is refused or changes no answer', async () => {
    const whole = await atlasBytes(kernels);
    const ask = async (bytes: Uint8Array) => {
      const atlas = await openAtlas(bytes);
      return [
        await answerOf(atlas, asked('struct', 's')),
        await answerOf(atlas, asked('func', 'f')),
      ];
    };
    const right = await ask(whole);
    const anyByte = fc.nat(whole.length - 1);
    await fc.assert(
      fc.asyncProperty(anyByte, fc.integer({ min: 1, max: 255 }), async (at, flip) => {
        const bytes = Uint8Array.from(whole);
        bytes[at] = (bytes[at] ?? 0) ^ flip;
        try {
          expect(await ask(bytes)).toEqual(right);
        } catch (error) {
          if (!(error instanceof Malformed)) throw error;
        }
      }),
    );
  });

  it('of a block affects only that block', async () => {
    const whole = await atlasBytes(kernels);
    const { directory } = await openAtlas(whole);
    const structs = directory.entries.find(({ kind }) => kind === 0);
    whole[structs?.offset ?? 0] = (whole[structs?.offset ?? 0] ?? 0) ^ 0xff;
    const atlas = await openAtlas(whole);
    await expect(answerOf(atlas, asked('struct', 's'))).rejects.toThrow(/is damaged/);
    expect(await answerOf(atlas, asked('func', 'f'))).toMatchObject({ count: 2 });
    expect(await extracted(whole, '6.1.0-amd64')).toEqual(new Uint8Array(older));
  });

  it.each([0, 7, 39, 60, -1])('of a file cut at %d bytes is refused', async (length) => {
    const bytes = (await atlasBytes(kernels)).slice(0, length);
    await expect(openAtlas(bytes)).rejects.toThrow(Malformed);
  });

  it('is not accepted for a later format version', async () => {
    const bytes = await atlasBytes(kernels);
    bytes[8] = 2;
    await expect(openAtlas(bytes)).rejects.toThrow(
      'test.btfatlas is an atlas of version 2, which this version of btfscope cannot read',
    );
  });
});
