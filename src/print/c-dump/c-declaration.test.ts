import { describe, expect, it } from 'vitest';
import { BtfKind } from '#formats/btf/kinds.ts';
import { typeId } from '#model/ids.ts';
import { kindOf, nameOf, type TypeTable } from '#model/type-table.ts';
import { btfBlob } from '#testing/btf-blob.ts';
import {
  array,
  datasec,
  declTag,
  enum64,
  enumeration,
  func,
  funcProto,
  fwd,
  int,
  type Member,
  modifier,
  ptr,
  record,
  struct,
  type TypeRecord,
  typedef,
  typeTag,
  union,
  variable,
} from '#testing/btf-types.ts';
import { corpusObjects, corpusTargets, readCorpusFile } from '#testing/corpus.ts';
import { goldenOf } from '#testing/goldens.ts';
import { tableInFile, tableOf } from '#testing/type-table.ts';
import { cDeclaration } from './c-declaration.ts';

const BASICS: readonly TypeRecord[] = [
  int('int', 4), // 1
  int('char', 1),
  int('long', 8),
  struct('foo', 4, []),
  ptr(4), // 5
  modifier('const', 4),
  ptr(6),
  funcProto(1, [
    ['self', 5],
    ['', 0],
  ]),
  ptr(8),
  array(1, 1, 4), // 10
  array(9, 1, 2),
  array(10, 1, 3),
  struct('', 8, [
    { name: 'x', type: 1, bitOffset: 0 },
    { name: 'y', type: 1, bitOffset: 32 },
  ]),
  enumeration('', [['A', 1]]),
  array(1, 1, 0), // 15
  typeTag('user', 4),
  ptr(16),
  modifier('volatile', 10),
  modifier('restrict', 5),
  funcProto(0), // 20
];

const NEXT = BASICS.length + 1;

/** Returns the C of the first of `types`, which are added after the basic types. */
const declared = (...types: TypeRecord[]) =>
  cDeclaration(
    tableOf(btfBlob({ types: [...BASICS, ...types], layout: KINDS }).bytes),
    typeId(NEXT),
    { indent: '  ' },
  );

const KINDS = Array.from({ length: 24 }, () => ({ infoSize: 0, elemSize: 0 }));

const member = (type: number, bitOffset: number, bitfieldSize?: number): Member => ({
  name: `m${bitOffset}`,
  type,
  bitOffset,
  ...(bitfieldSize === undefined ? {} : { bitfieldSize }),
});

describe('members', () => {
  it.each([
    ['a pointer', 5, 64, 'struct foo *m0;'],
    ['a pointer to const', 7, 64, 'const struct foo *m0;'],
    ['a function pointer', 9, 64, 'int (*m0)(struct foo *self, ...);'],
    ['an array', 10, 128, 'int m0[4];'],
    ['an array of function pointers', 11, 128, 'int (*m0[2])(struct foo *self, ...);'],
    ['an array of arrays', 12, 384, 'int m0[3][4];'],
    ['an anonymous enum', 14, 32, 'enum {\n    A = 1,\n  } m0;'],
    ['a type tag', 17, 64, 'struct foo __attribute__((btf_type_tag("user"))) *m0;'],
    ['a qualified array, which C does not have', 18, 128, 'int m0[4];'],
    ['restrict', 19, 64, 'struct foo * restrict m0;'],
  ])('%s', (_what, type, bits, text) => {
    expect(declared(struct('s', bits / 8, [member(type, 0)]))).toBe(`struct s {\n  ${text}\n};`);
  });

  it('that are anonymous are written in place', () => {
    const text = declared(union('u', 8, [{ name: '', type: 13, bitOffset: 0 }, member(3, 0)]));
    expect(text).toBe('union u {\n  struct {\n    int x;\n    int y;\n  };\n  long m0;\n};');
  });

  it('may be flexible arrays', () => {
    const text = declared(struct('s', 4, [member(1, 0), member(15, 32)]));
    expect(text).toBe('struct s {\n  int m0;\n  int m32[0];\n};');
  });
});

describe('padding', () => {
  it.each<[string, number, Member[], string]>([
    [
      'is not written where alignment makes it',
      16,
      [member(1, 0), member(3, 64)],
      'int m0; long m64;',
    ],
    [
      'forces an alignment',
      16,
      [member(1, 0), member(1, 64)],
      'int m0; long: 0; int m64; long: 0;',
    ],
    ['fills what is left at the end', 32, [member(3, 0)], 'long m0; long: 64; long: 64; long: 64;'],
    [
      'stands between bit-fields',
      4,
      [member(1, 0, 3), member(1, 8, 4)],
      'int m0: 3; char: 5; int m8: 4;',
    ],
    ['fills an empty struct', 6, [], 'long: 48;'],
  ])('%s', (_what, size, members, expected) => {
    const lines = declared(struct('s', size, members))
      .split(/\n\s*/)
      .slice(1, -1)
      .join(' ');
    expect(lines).toBe(expected);
  });
});

it.each<[string, TypeRecord, string]>([
  [
    'packed',
    struct('s', 5, [member(2, 0), member(1, 8)]),
    'struct s {\n  char m0;\n  int m8;\n} __attribute__((packed));',
  ],
  ['an empty struct', struct('s', 0, []), 'struct s {};'],
  ['an enum', enumeration('e', [['A', -1]]), 'enum e {\n  A = 4294967295,\n};'],
  ['a signed enum', enumeration('e', [['A', -1]], { signed: true }), 'enum e {\n  A = -1,\n};'],
  ['a forward enum', enumeration('e', []), 'enum e;'],
  ['an enum64', enum64('e', [['A', 1n << 40n]]), 'enum e {\n  A = 1099511627776ULL,\n};'],
  ['a signed enum64', enum64('e', [['A', -2n]], { signed: true }), 'enum e {\n  A = -2LL,\n};'],
  ['a FWD', fwd('f', 'union'), 'union f;'],
  ['a typedef', typedef('foo_t', 4), 'typedef struct foo foo_t;'],
  [
    'a typedef of a function pointer',
    typedef('fn', 9),
    'typedef int (*fn)(struct foo *self, ...);',
  ],
  [
    'a typedef of an anonymous struct',
    typedef('p', 13),
    'typedef struct {\n  int x;\n  int y;\n} p;',
  ],
  ['a built-in', typedef('__gnuc_va_list', 0), 'typedef __builtin_va_list __gnuc_va_list;'],
  ['a static FUNC', func('f', 20, 0), 'static void f(void);'],
  ['a global FUNC', func('f', 8, 1), 'int f(struct foo *self, ...);'],
  ['an extern FUNC', func('f', 20, 2), 'extern void f(void);'],
  ['a FUNC of strange linkage', func('f', 20, 9), '/* linkage 9 */ void f(void);'],
  ['a static VAR', variable('v', 10, 0), 'static int v[4];'],
  ['a global VAR', variable('v', 1, 1), '/* linkage: global */ int v;'],
  ['a PTR', ptr(4), 'struct foo *;'],
  ['an INT', int('u8', 1), 'u8;'],
  [
    'a tag',
    declTag('mark', 4, 2),
    '/* __attribute__((btf_decl_tag("mark"))) on struct foo, member 2 */',
  ],
  [
    'a tag of a function',
    declTag('mark', 99),
    '/* __attribute__((btf_decl_tag("mark"))) on type [99] */',
  ],
  ['an unknown kind', record(23, { name: 'n' }), '/* KIND_23 n */'],
  ['a typedef of nothing', typedef('n', 99), 'typedef /* no type [99] */ n;'],
  ['a PTR to itself', ptr(NEXT), '/* loop at [21] */ *;'],
])('%s', (_what, type, text) => {
  expect(declared(type)).toBe(text);
});

it('lists the variables of a section', () => {
  const section = datasec('.data', 12, [
    [NEXT + 1, 0, 4],
    [1, 4, 8],
  ]);
  expect(declared(section, variable('v', 1, 0))).toBe(
    '/* section .data: 12 bytes */\n/* offset 0, 4 bytes */ static int v;\n/* offset 4, 8 bytes */ int;',
  );
});

it('does not write an anonymous struct inside itself', () => {
  const text = declared(
    struct('', 8, [
      { name: 'a', type: NEXT, bitOffset: 0 },
      { name: 'b', type: 1, bitOffset: 0 },
    ]),
  );
  expect(text).toContain(`[${NEXT}] holds itself`);
  expect(text.length).toBeLessThan(200);
});

it('ends with a comment if it is cut', () => {
  const text = declared(struct('s', 0x0fffffff, [member(2, 0)]));
  expect(text.endsWith('\n/* cut after 8388608 bytes */')).toBe(true);
  expect(text.length).toBeLessThan(8388700);
});

const DEFINED: readonly number[] = [
  BtfKind.STRUCT,
  BtfKind.UNION,
  BtfKind.ENUM,
  BtfKind.ENUM64,
  BtfKind.FWD,
  BtfKind.TYPEDEF,
];

/** Removes bpftool's suffixes for equal names, which a single declaration does not have. */
const withoutSuffixes = (text: string) => text.replace(/___\d+\b/g, '');

/** Returns the definitions in a C dump. Each definition ends at its semicolon. */
function definitions(dump: string): ReadonlySet<string> {
  const blocks = withoutSuffixes(dump).split(';\n\n');
  return new Set(blocks.map((block) => `${block.replace(/^(?:#.*\n|\s)+/, '')};`));
}

function* definedTypes(t: TypeTable): Generator<number> {
  for (let id = t.firstId; id < t.firstId + t.count; id++) {
    const name = nameOf(t, typeId(id));
    // bpftool omits this typedef: every compiler has it built in.
    if (name === '' || name === '__builtin_va_list') continue;
    if (DEFINED.includes(kindOf(t, typeId(id)))) yield id;
  }
}

describe('bpftool', () => {
  it('defines every named type in the same words', () => {
    const different: string[] = [];
    let compared = 0;
    for (const entry of [...corpusObjects(), ...corpusTargets()]) {
      // In testdata/, bpftool 7.1 and 7.8 give the same text: it has no goldens of 7.8.
      const golden =
        goldenOf(entry.id, 'btf.c-unsorted.txt', 'goldens-2026') ?? goldenOf(entry.id, 'btf.c.txt');
      const t = golden?.rc === 0 ? tableInFile(readCorpusFile(entry)) : null;
      if (golden === null || t === null) continue;
      const expected = definitions(golden.text);
      for (const id of definedTypes(t)) {
        compared++;
        const ours = withoutSuffixes(cDeclaration(t, typeId(id)));
        if (!expected.has(ours)) different.push(`${entry.id} [${id}] ${ours.slice(0, 500)}`);
      }
    }
    expect(different).toEqual([]);
    expect(compared).toBeGreaterThan(1000);
  }, 60_000);
});

it('writes a tag with kind_flag as the attribute that it is', () => {
  const flagged = (record: TypeRecord) => ({ ...record, kindFlag: true });
  const types = [
    int('int', 4),
    flagged(typeTag('address_space(1)', 1)),
    ptr(2),
    struct('s', 8, [{ name: 'p', type: 3, bitOffset: 0 }]),
    flagged(declTag('aligned(4)', 4)),
  ];
  const t = tableOf(btfBlob({ types }).bytes);
  expect(cDeclaration(t, typeId(4))).toContain('int __attribute__((address_space(1))) *p;');
  expect(cDeclaration(t, typeId(5))).toBe('/* __attribute__((aligned(4))) on struct s */');
});
