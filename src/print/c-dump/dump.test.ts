import { describe, expect, it } from 'vitest';
import { typeId } from '#model/ids.ts';
import type { TypeTable } from '#model/type-table.ts';
import { ByteText, gathered } from '#print/byte-text.ts';
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
  type Member,
  modifier,
  ptr,
  struct,
  type TypeRecord,
  typedef,
  typeTag,
  union,
} from '#testing/btf-types.ts';
import { tableOf } from '#testing/type-table.ts';
import { type COptions, writeC } from './dump.ts';

const bytesOf = (t: TypeTable, options: COptions = {}) =>
  gathered((out) => {
    for (const _ of writeC(t, out, options));
  });

const table = (types: readonly TypeRecord[]) => tableOf(btfBlob({ types }).bytes);

const UNSORTED: COptions = { unsorted: true };

/** Returns the definitions in the order of ids, each in one line, without macros and kfuncs. */
function written(...types: TypeRecord[]): string[] {
  return definitionsIn(table(types), UNSORTED);
}

function definitionsIn(t: TypeTable, options: COptions): string[] {
  const text = new TextDecoder().decode(bytesOf(t, options));
  const body = text.split('#endif\n#endif\n\n')[1]?.split(/\n\/\* BPF kfuncs|#ifndef/)[0] ?? '';
  return body
    .split('\n\n')
    .filter((part) => part !== '')
    .map((part) => part.replace(/\s+/g, ' '));
}

const member = (name: string, type: number, bitOffset = 0): Member => ({ name, type, bitOffset });

it('has the head and the tail of bpftool', () => {
  const types = table([int('int', 4)]);
  const text = (options: COptions) => new TextDecoder().decode(bytesOf(types, options));
  expect(text({ bpftool: '7.1' })).toBe(`#ifndef __VMLINUX_H__
#define __VMLINUX_H__

#ifndef BPF_NO_PRESERVE_ACCESS_INDEX
#pragma clang attribute push (__attribute__((preserve_access_index)), apply_to = record)
#endif

#ifndef BPF_NO_PRESERVE_ACCESS_INDEX
#pragma clang attribute pop
#endif

#endif /* __VMLINUX_H__ */
`);
  expect(text({})).toBe(`#ifndef __VMLINUX_H__
#define __VMLINUX_H__

#ifndef BPF_NO_PRESERVE_ACCESS_INDEX
#pragma clang attribute push (__attribute__((preserve_access_index)), apply_to = record)
#endif

#ifndef __ksym
#define __ksym __attribute__((section(".ksyms")))
#endif

#ifndef __weak
#define __weak __attribute__((weak))
#endif

#ifndef __bpf_fastcall
#if __has_attribute(bpf_fastcall)
#define __bpf_fastcall __attribute__((bpf_fastcall))
#else
#define __bpf_fastcall
#endif
#endif


/* BPF kfuncs */
#ifndef BPF_NO_KFUNC_PROTOTYPES
#endif

#ifndef BPF_NO_PRESERVE_ACCESS_INDEX
#pragma clang attribute pop
#endif

#endif /* __VMLINUX_H__ */
`);
  expect(text({ roots: [typeId(1)] })).not.toContain('kfuncs');
});

describe('order', () => {
  it("defines the members' types before the struct", () => {
    expect(
      written(
        struct('outer', 4, [member('i', 3)]),
        int('int', 4),
        typedef('inner_t', 4),
        struct('inner', 4, [member('a', 2)]),
      ),
    ).toEqual([
      'struct inner { int a; };',
      'typedef struct inner inner_t;',
      'struct outer { inner_t i; };',
    ]);
  });

  it('declares pointed-to types', () => {
    const types = [
      struct('a', 8, [member('b', 2)]),
      ptr(3),
      struct('b', 8, [member('a', 4)]),
      ptr(1),
    ];
    expect(written(...types)).toEqual([
      'struct b;',
      'struct a { struct b *b; };',
      'struct b { struct a *a; };',
    ]);
  });

  it('does not declare a struct within itself', () => {
    const types = [struct('list', 8, [member('next', 2)]), ptr(1)];
    expect(written(...types)).toEqual(['struct list { struct list *next; };']);
  });

  it('defines a typedef that its own struct needs before the struct', () => {
    const types = [struct('s', 8, [member('self', 3)]), typedef('s_t', 1), ptr(2)];
    expect(written(...types)).toEqual([
      'struct s;',
      'typedef struct s s_t;',
      'struct s { s_t *self; };',
    ]);
  });

  it('looks into prototypes and anonymous members', () => {
    const types = [
      struct('s', 16, [member('', 2), member('f', 4, 64)]),
      union('', 8, [member('p', 6)]),
      struct('param', 0, []),
      ptr(5),
      funcProto(0, [['p', 7]]),
      ptr(8),
      ptr(3),
      struct('inner', 0, []),
    ];
    expect(written(...types)).toEqual([
      'struct inner;',
      'struct param;',
      'struct s { union { struct inner *p; }; void (*f)(struct param *p); };',
      'struct param {};',
      'struct inner {};',
    ]);
  });

  it('marks a struct that contains itself and continues', () => {
    const types = [
      struct('a', 4, [member('b', 2)]),
      struct('b', 4, [member('a', 1)]),
      struct('c', 0, []),
    ];
    expect(written(...types)).toEqual([
      '/* unsatisfiable type cycle, id:[1] */',
      'struct a;',
      'struct b { struct a a; };',
      'struct a { struct b b; };',
      'struct c {};',
    ]);
  });
});

/** The expected orders follow from bpftool's `sort_btf_c`; each test covers one sort key. */
describe('the sorted order', () => {
  const sorted = (...types: TypeRecord[]) => definitionsIn(table(types), {});

  it('is by rank: anonymous enums, enums, structs, functions, others; it includes the first type', () => {
    expect(
      sorted(
        fwd('a'),
        typedef('b', 3),
        funcProto(0),
        struct('c', 0, []),
        enumeration('d', [['D', 0]]),
        enumeration('', [['Z', 0]]),
        typedef('e', 1),
      ),
    ).toEqual([
      'enum { Z = 0, };',
      'enum d { D = 0, };',
      'struct c {};',
      'typedef void b(void);',
      'struct a;',
      'typedef struct a e;',
    ]);
  });

  it('is by the name of the target of a typedef, then by its own name', () => {
    expect(
      sorted(struct('b', 0, []), typedef('z', 1), typedef('a', 1), struct('aa', 0, [])),
    ).toEqual(['struct aa {};', 'struct b {};', 'typedef struct b a;', 'typedef struct b z;']);
  });

  it('is by unsigned bytes, a prefix before longer names', () => {
    expect(sorted(struct('é', 0, []), struct('ab', 0, []), struct('a', 0, []))).toEqual([
      'struct a {};',
      'struct ab {};',
      'struct é {};',
    ]);
  });

  it('distinguishes anonymous enums by their first enumerator', () => {
    const types = [enumeration('', [['B', 0]]), enum64('', [['A', 1n << 32n]])];
    expect(sorted(...types)[0]).toBe('enum { A = 4294967296ULL, };');
  });

  it('is by the hash of signed chars if all names are equal', () => {
    // Hashes use signed chars: é (0xc3 0xa9) gives 31 * -61 - 87, which is below 'a'. Unsigned
    // bytes would give more than 'b'.
    const withMember = (name: string) => struct('s', 4, [member(name, 4)]);
    expect(sorted(withMember('é'), withMember('b'), withMember('a'), int('int', 4))).toEqual([
      'struct s { int é; };',
      'struct s___2 { int a; };',
      'struct s___3 { int b; };',
    ]);
  });

  it('is by id if nothing else differs', () => {
    const types = [struct('s', 4, [member('a', 3)]), union('s', 4, [member('a', 3)]), int('i', 4)];
    expect(sorted(...types)).toEqual(['struct s { i a; };', 'union s___2 { i a; };']);
  });

  it('includes the types of a base', () => {
    const base = table([struct('b', 0, []), struct('d', 0, [])]);
    const { bytes } = btfBlob({
      types: [struct('c', 0, []), struct('a', 0, [])],
      baseStringLength: base.strEnd - base.strStart,
    });
    expect(definitionsIn(tableOf(bytes, base), {})).toEqual([
      'struct a {};',
      'struct b {};',
      'struct c {};',
      'struct d {};',
    ]);
  });
});

describe('kfuncs', () => {
  const block = (types: readonly TypeRecord[], options: COptions = {}) =>
    new TextDecoder()
      .decode(bytesOf(table(types), options))
      .split('KFUNC_PROTOTYPES\n')[1]
      ?.split('#endif')[0]
      ?.trimEnd()
      .split('\n');

  const types = [
    int('int', 4),
    funcProto(1, [['x', 1]]),
    funcProto(0),
    func('b', 2),
    func('a', 3),
    declTag('bpf_kfunc', 4),
    declTag('bpf_kfunc', 5),
    declTag('bpf_fastcall', 5),
    func('c', 3),
    declTag('bpf_kfunc', 9, 0),
    declTag('bpf_kfunc2', 9),
    declTag('bpf_kfunc', 1),
  ];

  it('are declared by name, also in the order of ids, and only those of a whole FUNC', () => {
    const expected = [
      'extern __bpf_fastcall void a(void) __weak __ksym;',
      'extern int b(int x) __weak __ksym;',
    ];
    expect(block(types)).toEqual(expected);
    expect(block(types, { unsorted: true })).toEqual(expected);
    expect(block(types, { bpftool: '7.1' })).toBeUndefined();
  });

  it('are declared for each of their tags', () => {
    expect(block([...types, declTag('bpf_kfunc', 4)])).toHaveLength(3);
  });
});

describe('attributes', () => {
  const tag = { ...typeTag('aligned(4)', 1), kindFlag: true };
  const types = [int('int', 4), tag, ptr(2), struct('s', 8, [member('p', 3)])];

  it('come from tags with kind_flag', () => {
    expect(written(...types)).toEqual(['struct s { int __attribute__((aligned(4))) *p; };']);
    const older = new TextDecoder().decode(bytesOf(table(types), { bpftool: '7.1' }));
    expect(older).toContain('int __attribute__((btf_type_tag("aligned(4)"))) *p;');
  });

  it('include the modes of enums whose values do not imply their size', () => {
    const enums = [
      int('long', 8),
      enumeration('byte', [['A', 0]], { size: 1 }),
      enumeration('word', [['B', 0]], { size: 8 }),
      enum64('small', [['C', 1n]]),
      enum64('large', [['D', 1n << 40n]]),
    ];
    const ends = written(...enums).map((text) => text.slice(text.indexOf('}')));
    expect(ends).toEqual([
      '} __attribute__((mode(byte)));',
      '} __attribute__((mode(word)));',
      '} __attribute__((mode(word)));',
      '};',
    ]);
    expect(new TextDecoder().decode(bytesOf(table(enums), { bpftool: '7.1' }))).not.toContain(
      'mode',
    );
  });
});

it('writes roots with their dependencies, in the given order', () => {
  const types = [
    int('int', 4),
    struct('b', 4, [member('i', 1)]),
    struct('a', 4, [member('b', 2)]),
    struct('c', 0, []),
  ];
  const roots = [4, 3].map(typeId);
  expect(definitionsIn(table(types), { roots })).toEqual([
    'struct c {};',
    'struct b { int i; };',
    'struct a { struct b b; };',
  ]);
});

describe('names', () => {
  it('are numbered if they collide, tags and identifiers separately', () => {
    const types = [
      struct('x', 0, []),
      union('x', 0, []),
      enumeration('x', [['x', 0]]),
      typedef('x', 1),
      typedef('x', 2),
      fwd('x'),
    ];
    expect(written(...types)).toEqual([
      'struct x {};',
      'union x___2 {};',
      'enum x___3 { x = 0, };',
      'typedef struct x x___2;',
      'typedef union x___2 x___3;',
      'struct x;',
    ]);
  });

  it('are compared by their bytes, wherever they are stored', () => {
    const { bytes, stringOff } = btfBlob({
      strings: ['pre_same', 'same'],
      types: [struct('same', 0, []), struct(5, 0, [])],
    });
    expect(stringOff('pre_same') + 4).toBe(5);
    const text = new TextDecoder().decode(bytesOf(tableOf(bytes), UNSORTED));
    expect(text).toContain('struct same {};\n\nstruct same___2 {};');
  });

  it('have at most 255 bytes with their number', () => {
    const long = 'n'.repeat(300);
    const [first, second] = written(struct(long, 0, []), union(long, 0, []));
    expect(first).toBe(`struct ${long} {};`);
    expect(second).toBe(`union ${'n'.repeat(255)} {};`);
  });

  it('of compilers are declared if missing', () => {
    const types = [
      typedef('__builtin_va_list', 2),
      typedef('__gnuc_va_list', 0),
      typedef('poly8_t', 4),
      int('__Poly8_t', 1),
    ];
    expect(written(...types)).toEqual([
      'typedef __builtin_va_list __gnuc_va_list;',
      'typedef unsigned char __Poly8_t;',
      'typedef __Poly8_t poly8_t;',
    ]);
  });
});

it('writes an anonymous enum separately only if no type refers to it', () => {
  const types = [
    enumeration('', [['A', 1]]),
    enum64('', [['B', 1n << 32n]]),
    struct('s', 8, [member('b', 2)]),
  ];
  expect(written(...types)).toEqual([
    'enum { A = 1, };',
    'struct s { enum { B = 4294967296ULL, } b; };',
  ]);
});

it('writes no declaration for types that cannot end a declarator', () => {
  const types = [struct('s', 8, [member('f', 2)]), func('f', 3), funcProto(0)];
  expect(written(...types)).toEqual(['struct s { ; long: 64; };']);
});

describe('hostile blobs', () => {
  /** Returns the first megabyte of the text. The test's time limit checks that writing is fast. */
  function start(types: readonly TypeRecord[]): string {
    let text = '';
    const out = new ByteText((chunk) => {
      text += new TextDecoder().decode(chunk);
    });
    for (const _ of writeC(table(types), out)) if (text.length > 1 << 20) break;
    out.end();
    return text;
  }

  const DEEP = 10_000;
  const deep = (level: (next: number) => TypeRecord) => [
    ...Array.from({ length: DEEP }, (_, i) => level(i + 2)),
    int('int', 4),
  ];

  it.each<[string, TypeRecord[]]>([
    ['pointers', deep(ptr)],
    ['qualifiers', deep((next) => modifier('const', next))],
    ['typedefs', deep((next) => typedef('t', next))],
    ['structs', deep((next) => struct('s', 4, [member('m', next)]))],
    ['anonymous structs', [...deep((next) => struct('', 4, [member('', next)])), typedef('t', 1)]],
    ['prototypes', [...deep((next) => funcProto(next, [['p', next]])), typedef('t', 1)]],
    ['arrays', [...deep((next) => array(next, DEEP + 1, 2)), typedef('t', 1)]],
  ])('10,000 %s deep end', (_what, types) => {
    expect(start(types).length).toBeGreaterThan(100);
  });

  it('a struct that contains the next one twice, 64 deep, is written lazily', () => {
    const level = (i: number) => struct('', 8, [member('', i + 2), member('', i + 2)]);
    const types = [...Array.from({ length: 64 }, (_, i) => level(i)), int('int', 4)];
    expect(start([...types, typedef('t', 1)]).length).toBeGreaterThan(1 << 20);
  });

  it('padding of a quarter of a gigabyte is written lazily', () => {
    expect(start([struct('s', 0x0fffffff, [])]).length).toBeGreaterThan(1 << 20);
  });

  it('a struct of 10,000 members behind 10,000 qualifiers', () => {
    const members = Array.from({ length: DEEP }, (_, i) => member('m', 1 + i, 32 * i));
    const types = [...deep((next) => modifier('const', next)), struct('s', 4 * DEEP, members)];
    expect(start(types)).toContain('struct s {\n\tconst const');
  });

  it.each<[string, TypeRecord[]]>([
    ['a pointer to itself', [ptr(1), typedef('t', 1)]],
    ['a typedef of itself', [typedef('t', 1)]],
    ['an array of itself', [array(1, 1, 2), struct('s', 4, [member('m', 1)])]],
    ['a prototype of itself', [funcProto(1, [['p', 1]]), typedef('t', 1)]],
    ['an anonymous struct in itself', [struct('', 4, [member('', 1)]), typedef('t', 1)]],
    [
      'ids that do not exist',
      [ptr(99), typedef('t', 0xffffffff), struct('s', 4, [member('m', 98)])],
    ],
  ])('%s ends', (_what, types) => {
    expect(start(types)).toContain('#endif /* __VMLINUX_H__ */');
  });
});

// rustc encodes the variants of an enum as members of type void. The text is bpftool 7.1's.
it('writes members of type void and structs of no size as bpftool does', () => {
  expect(
    written(
      int('u32', 4),
      struct('Some', 8, [member('__0', 1, 32)]),
      struct('Option<u32>', 8, [member('', 0)]),
      struct('None', 8, []),
      union('Enum', 8, [member('', 0), member('Some', 2), member('None', 4)]),
      struct('()', 0, []),
      struct('Wrap', 4, [member('__0', 6), member('__1', 1)]),
      struct('named', 4, [member('v', 0), member('a', 1), member('w', 0, 32)]),
    ),
  ).toEqual([
    'struct Some { int: 32; u32 __0; };',
    'struct Option<u32> { void; long: 64; };',
    'struct None { long: 64; };',
    'union Enum { void; struct Some Some; struct None None; };',
    'struct () {};',
    'struct Wrap { struct () __0; u32 __1; };',
    'struct named { void v; u32 a; void w; };',
  ]);
});
