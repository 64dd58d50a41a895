import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { typeId } from '#model/ids.ts';
import { cDeclaration } from '#print/c-dump/c-declaration.ts';
import { btfBlob } from '#testing/btf-blob.ts';
import {
  enumeration,
  func,
  funcProto,
  int,
  modifier,
  ptr,
  struct,
  type TypeRecord,
  typedef,
} from '#testing/btf-types.ts';
import { openModel } from '#testing/open-model.ts';
import { declarationParts, ownNameAt } from './DeclarationCode.tsx';
import { type DeclarationTargets, declarationTargets } from './declaration-targets.ts';

const targets: DeclarationTargets = new Map([
  ['struct foo', typeId(1)],
  ['enum color', typeId(2)],
  ['pid_t', typeId(3)],
]);

const links = (text: string) =>
  declarationParts(text, targets)
    .filter((part) => part.type !== null)
    .map((part) => [part.text, part.type]);

describe('declarationParts', () => {
  it('links tags and typedefs in type positions', () => {
    expect(links('struct foo *a;\n\tenum color c;\n\tconst pid_t p;')).toEqual([
      ['struct foo', 1],
      ['enum color', 2],
      ['pid_t', 3],
    ]);
  });

  it('links no member that is called like a type', () => {
    expect(links('pid_t pid_t;')).toEqual([['pid_t', 3]]);
    expect(links('int pid_t;\n\tvoid *pid_t;\n\tint (*pid_t)(void);')).toEqual([]);
  });

  it('links the types of parameters', () => {
    expect(links('int (*fn)(struct foo *, pid_t, pid_t pid);')).toEqual([
      ['struct foo', 1],
      ['pid_t', 3],
      ['pid_t', 3],
    ]);
  });

  it('links no names in comments and strings', () => {
    expect(links('/* struct foo */ x __attribute__((btf_type_tag("struct foo")));')).toEqual([]);
  });

  it('marks keywords, numbers and comments', () => {
    const roles = declarationParts('struct bar { int a: 3; /* x */ };', targets)
      .filter(({ role }) => role !== 'plain')
      .map(({ text, role }) => `${role} ${text}`);
    expect(roles).toEqual(['keyword struct', 'number 3', 'comment /* x */']);
  });

  it('gives the text again, whatever it is', () => {
    const word = fc.constantFrom(
      'struct foo',
      'pid_t',
      '/*',
      '*/',
      '"',
      '{',
      ';',
      '\n\t',
      'é',
      '12',
      'x',
    );
    fc.assert(
      fc.property(fc.array(fc.oneof(word, fc.string()), { maxLength: 20 }), (words) => {
        const text = words.join(' ');
        expect(
          declarationParts(text, targets)
            .map((part) => part.text)
            .join(''),
        ).toBe(text);
      }),
    );
  });
});

describe('declarationTargets', () => {
  const typesOf = async (...types: readonly TypeRecord[]) => {
    const model = await openModel('targets.btf', btfBlob({ types }).bytes);
    if (model.types === null) throw new Error('no types');
    return model.types;
  };

  it('finds what the declaration names, behind pointers, prototypes and anonymous structs', async () => {
    const types = await typesOf(
      int('int', 4),
      typedef('pid_t', 1),
      enumeration('color', [['RED', 0]]),
      struct('', 4, [{ name: 'c', type: 3, bitOffset: 0 }]),
      struct('far', 4, [{ name: 'self', type: 1, bitOffset: 0 }]),
      modifier('const', 5),
      ptr(6),
      funcProto(7, [['pid', 2]]),
      ptr(8),
      struct('top', 16, [
        { name: '', type: 4, bitOffset: 0 },
        { name: 'fn', type: 9, bitOffset: 64 },
      ]),
    );
    const found = declarationTargets(types, typeId(10));
    expect([...found].sort()).toEqual([
      ['enum color', 3],
      ['pid_t', 2],
      ['struct far', 5],
    ]);
    const text = cDeclaration(types, typeId(10));
    const linked = declarationParts(text, found).filter(({ type }) => type !== null);
    expect(linked.map((part) => part.text)).toEqual(['enum color', 'struct far', 'pid_t']);
  });

  it('ends where types refer to each other in a loop', async () => {
    const types = await typesOf(ptr(2), ptr(1));
    expect(declarationTargets(types, typeId(1)).size).toBe(0);
  });
});

describe('ownNameAt', () => {
  it('finds the name of a typedef behind members that are called so, that of a function before its parameters', async () => {
    const { types } = await openModel(
      'names.btf',
      btfBlob({
        types: [
          int('int', 4),
          struct('', 4, [{ name: 'n', type: 1, bitOffset: 0 }]),
          typedef('n', 2),
          funcProto(1, [['f', 1]]),
          func('f', 4),
          struct('s', 4, [{ name: 's', type: 1, bitOffset: 0 }]),
        ],
      }).bytes,
    );
    if (types === null) throw new Error('no types');
    const marked = (id: number, start = 0) => {
      const text = cDeclaration(types, typeId(id));
      const at = ownNameAt(types, typeId(id), text, start);
      return at < 0 ? null : `${text.slice(0, at)}|${text.slice(at)}`;
    };
    expect(marked(3)?.replaceAll(/\s+/g, ' ')).toBe('typedef struct { int n; } |n;');
    expect(marked(5)).toBe('int |f(int f);');
    // The name without its tag keyword is not a type in C.
    expect(marked(6)).toBeNull();
  });

  it('is a part of its own', () => {
    const parts = declarationParts('typedef int n;', targets, 'c', { type: typeId(9), at: 12 });
    expect(parts.map(({ text, type }) => [text, type])).toEqual([
      ['typedef', null],
      [' int ', null],
      ['n', 9],
      [';', null],
    ]);
  });
});
