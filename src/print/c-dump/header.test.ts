import { describe, expect, it } from 'vitest';
import { typeId } from '#model/ids.ts';
import { btfBlob } from '#testing/btf-blob.ts';
import {
  array,
  enum64,
  enumeration,
  func,
  funcProto,
  int,
  type Member,
  ptr,
  struct,
  type TypeRecord,
  typedef,
  union,
} from '#testing/btf-types.ts';
import { tableOf } from '#testing/type-table.ts';
import { type HeaderOptions, selfContainedHeader } from './header.ts';

const member = (name: string, type: number, bitOffset = 0): Member => ({ name, type, bitOffset });

const TYPES: readonly TypeRecord[] = [
  struct('s', 32, [
    member('a', 2),
    member('', 4, 64),
    member('next', 5, 128),
    member('inner', 6, 192),
    member('tail', 8, 224),
  ]), // 1
  int('int', 4),
  int('char', 1),
  union('', 8, [member('x', 2), member('y', 10)]),
  ptr(1), // 5
  typedef('inner_t', 7),
  struct('inner', 4, [member('i', 2)]),
  array(3, 2, 4),
  func('f', 11),
  int('long', 8), // 10
  funcProto(0),
];

const headerOf = (types: readonly TypeRecord[], id: number, options: HeaderOptions = {}) =>
  selfContainedHeader(tableOf(btfBlob({ types }).bytes), typeId(id), options);

/** Returns the lines of a header between its include guards. */
const linesOf = (text: string) => text.split('\n').slice(3, -3);

it('contains the type and its dependencies', () => {
  expect(headerOf(TYPES, 1)).toBe(`#ifndef __S_H__
#define __S_H__

struct inner {
	int i;
};

typedef struct inner inner_t;

struct s {
	int a;
	union {
		int x;
		long y;
	};
	struct s *next;
	inner_t inner;
	char tail[4];
};

#endif /* __S_H__ */
`);
});

it('has the given guard', () => {
  const text = headerOf(TYPES, 1, { guard: '1 guard*/', preserveAccessIndex: true });
  expect(text.split('\n').slice(0, 4)).toEqual([
    '#ifndef _1_GUARD__',
    '#define _1_GUARD__',
    '',
    '#pragma clang attribute push (__attribute__((preserve_access_index)), apply_to = record)',
  ]);
  expect(text).toMatch(/#pragma clang attribute pop\n\n#endif \/\* _1_GUARD__ \*\/\n$/);
});

describe('chosen members', () => {
  it('stay where they are', () => {
    expect(linesOf(headerOf(TYPES, 1, { members: ['tail', 'next'] }))).toEqual([
      'struct s {',
      '\tlong: 64;',
      '\tlong: 64;',
      '\tstruct s *next;',
      '\tint: 32;',
      '\tchar tail[4];',
      '};',
    ]);
  });

  it('exclude other members with CO-RE, but include whole anonymous ones', () => {
    const text = headerOf(TYPES, 1, { members: ['y'], preserveAccessIndex: true });
    expect(linesOf(text).slice(2, -2)).toEqual([
      'struct s {',
      '\tunion {',
      '\t\tint x;',
      '\t\tlong y;',
      '\t};',
      '};',
    ]);
  });

  it('of a union keep its size', () => {
    const types = [union('u', 8, [member('x', 2), member('y', 3)]), int('int', 4), int('long', 8)];
    expect(linesOf(headerOf(types, 1, { members: ['x'] }))).toEqual([
      'union u {',
      '\tint x;',
      '\tchar __size[8];',
      '};',
    ]);
  });

  it("are those of a typedef's target", () => {
    const types = [...TYPES, typedef('s_t', 1)];
    expect(headerOf(types, 12, { members: ['a'] })).toContain('struct s {\n\tint a;\n\tlong: 64;');
  });

  it('that do not exist are reported', () => {
    const text = headerOf(TYPES, 1, { members: ['a', 'b*/'] });
    expect(text).toContain('/* no member b?? */');
  });
});

describe('information that bpftool 7.1 omits', () => {
  it.each<[string, TypeRecord, string]>([
    [
      'an enum of a byte',
      enumeration('e', [['A', 1]], { size: 1 }),
      'A = 1,\n} __attribute__((mode(QI)));',
    ],
    ['an enum of two bytes', enumeration('e', [['A', 1]], { size: 2 }), '(mode(HI)));'],
    ['an enum of eight bytes', enum64('e', [['A', 1n]]), '(mode(DI)));'],
    [
      'a packed union',
      union('u', 5, [member('x', 2), member('y', 3)]),
      '} __attribute__((packed));',
    ],
  ])('%s', (_what, type, end) => {
    expect(headerOf([type, int('int', 4), array(4, 2, 5), int('char', 1)], 1)).toContain(end);
  });

  it('fills a packed struct explicitly', () => {
    const types = [struct('s', 11, [member('x', 2, 8), member('y', 2, 56)]), int('int', 4)];
    expect(linesOf(headerOf(types, 1))).toEqual([
      'struct s {',
      '\tchar: 8;',
      '\tint x;',
      '\tshort: 16;',
      '\tint y;',
      '} __attribute__((packed));',
    ]);
  });

  it('numbers the file’s own __builtin_va_list', () => {
    const types = [typedef('va_list', 2), typedef('__builtin_va_list', 3), struct('tag', 0, [])];
    expect(headerOf(types, 1)).toContain(
      'typedef struct tag __builtin_va_list___2;\n\ntypedef __builtin_va_list___2 va_list;',
    );
  });
});

it.each([
  ['a function', 9, 'FUNC [9]'],
  ['void', 0, 'UNKN [0]'],
  ['an id that does not exist', 99, 'UNKN [99]'],
])('has no definition for %s', (_what, id, words) => {
  expect(headerOf(TYPES, id, { members: ['a'] })).toContain(`/* nothing to define for ${words} */`);
});

it('allocates nothing for a base that claims 4 GB of names', () => {
  const types = [struct('s', 8, [member('a', 2)]), int('int', 4)];
  const { bytes } = btfBlob({ types });
  const t = tableOf(bytes);
  const far = { ...t, strBase: 0xffffffff, split: true };
  expect(selfContainedHeader(far, typeId(1))).toContain('#ifndef __TYPE_1_H__');
});

it('terminates on an anonymous struct that contains itself', () => {
  const types = [struct('s', 4, [member('', 2)]), struct('', 4, [member('', 2), member('', 2)])];
  expect(headerOf(types, 1, { members: ['x'] })).toContain('/* no member x */');
});
