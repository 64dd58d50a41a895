/** Tests each rule of pahole 1.24. The expected texts are pahole's output. */
import { describe, expect, it } from 'vitest';
import { typeId } from '#model/ids.ts';
import { btfBlob } from '#testing/btf-blob.ts';
import {
  array,
  enum64,
  enumeration,
  float,
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
import {
  at,
  CHAR,
  INT,
  LONG,
  NEXT,
  NOWHERE,
  paholeMember,
  paholeText,
  SHORT,
  tableWith,
} from '#testing/pahole-text.ts';
import { tableOf } from '#testing/type-table.ts';
import { type PaholeOptions, paholeOf } from './pahole.ts';

const OLDER: PaholeOptions = { pahole: '1.24' };

const textOf = (...types: readonly TypeRecord[]) => paholeText(OLDER, types);
const memberLine = (...types: readonly TypeRecord[]) => paholeMember(OLDER, types);

describe('holes', () => {
  it('prints holes in bytes, paddings, cache lines and their sums', () => {
    const inner = struct('inner', 8, at(['l', INT, 0]));
    const members = at(
      ['c', CHAR, 0],
      ['i', INT, 4],
      ['in', NEXT, 8],
      ['s', SHORT, 16],
      ['l', LONG, 72],
    );
    expect(textOf(inner, struct('outer', 88, members))).toBe(`struct inner {
	int                        l;                    /*     0     4 */

	/* size: 8, cachelines: 1, members: 1 */
	/* padding: 4 */
	/* last cacheline: 8 bytes */
} __attribute__((__aligned__(8)));
struct outer {
	char                       c;                    /*     0     1 */

	/* XXX 3 bytes hole, try to pack */

	int                        i;                    /*     4     4 */
	struct inner               in;                   /*     8     8 */

	/* XXX last struct has 4 bytes of padding */

	short int                  s;                    /*    16     2 */

	/* XXX 54 bytes hole, try to pack */

	/* --- cacheline 1 boundary (64 bytes) was 8 bytes ago --- */
	long int                   l __attribute__((__aligned__(64))); /*    72     8 */

	/* size: 88, cachelines: 2, members: 5 */
	/* sum members: 23, holes: 2, sum holes: 57 */
	/* padding: 8 */
	/* paddings: 1, sum paddings: 4 */
	/* forced alignments: 1, forced holes: 1, sum forced holes: 54 */
	/* last cacheline: 24 bytes */
} __attribute__((__aligned__(16)));
`);
  });

  it('prints a hole before the first member', () => {
    expect(textOf(struct('late', 8, at(['i', INT, 4])))).toContain(
      'struct late {\n\n\t/* XXX 4 bytes hole, try to pack */\n\n\tint ',
    );
  });

  it('fills holes between bit-fields, and marks where storage ends', () => {
    const bits = (name: string, bitOffset: number, bitfieldSize: number): Member => ({
      name,
      type: INT,
      bitOffset,
      bitfieldSize,
    });
    expect(
      textOf(struct('b', 16, [bits('a', 0, 3), bits('b', 5, 4), bits('c', 72, 4)])),
    ).toBe(`struct b {
	int                        a:3;                  /*     0: 0  4 */

	/* XXX 2 bits hole, try to pack */
	int                        :2;

	int                        b:4;                  /*     0: 5  4 */

	/* XXX 31 bits hole, try to pack */
	/* XXX 4 bytes hole, try to pack */

	/* Force alignment to the next boundary: */
	int                        :0;

	int                        c:4 __attribute__((__aligned__(8))); /*     8: 8  4 */

	/* size: 16, cachelines: 1, members: 3 */
	/* sum bitfield members: 11 bits, bit holes: 2, sum bit holes: 33 bits */
	/* padding: 4 */
	/* bit_padding: 20 bits */
	/* forced alignments: 1, forced holes: 1, sum forced holes: 4 */
	/* last cacheline: 16 bytes */
} __attribute__((__aligned__(8)));
`);
  });

  it('marks bit-fields that share bytes', () => {
    const text = textOf(
      struct('shared', 8, [
        { name: 'c', type: CHAR, bitOffset: 0, bitfieldSize: 0 },
        { name: 'i', type: INT, bitOffset: 8, bitfieldSize: 8 },
        { name: 's', type: SHORT, bitOffset: 16, bitfieldSize: 0 },
      ]),
    );
    expect(text).toContain('\n\t/* Bitfield combined with previous fields */\n');
    expect(text).toContain('\n\t/* Bitfield combined with next fields */\n');
  });

  it('prints an error if members exceed the struct', () => {
    expect(textOf(struct('torn', 4, at(['a', LONG, 0])))).toContain(
      '\n\t/* BRAIN FART ALERT! 4 bytes != 8 (member bytes) + 0 (member bits) + 0 (byte holes) + 0 (bit holes), diff = -524288 bits */\n',
    );
  });

  it('counts no hole in an empty struct of one byte', () => {
    expect(textOf(struct('e', 1, []))).toContain('/* size: 1, cachelines: 0, members: 0 */');
  });
});

describe('packed structs', () => {
  it('have members below their alignment', () => {
    expect(textOf(struct('p', 5, at(['c', CHAR, 0], ['i', INT, 1])))).toContain(
      '\n} __attribute__((__packed__));\n',
    );
  });

  it('have a size that is impossible in an array', () => {
    expect(textOf(struct('p', 6, at(['i', INT, 0], ['s', SHORT, 4])))).toContain(
      '\n} __attribute__((__packed__));\n',
    );
  });

  it('can be unaligned in a struct with holes, and in a union', () => {
    const inner = struct('', 4, at(['i', INT, 0]));
    const outer = struct('o', 12, at(['c', CHAR, 0], ['in', NEXT, 1], ['l', INT, 8]));
    expect(textOf(inner, outer)).toContain('\t} __attribute__((__packed__)) in;  ');
    expect(textOf(inner, union('u', 6, at(['in', NEXT, 0])))).toContain(
      '\t} __attribute__((__packed__)) in;  ',
    );
  });
});

describe('composites without a name', () => {
  it('are written in place, with offsets from the outermost', () => {
    const inner = struct('', 8, at(['x', INT, 0], ['y', INT, 4]));
    const either = union('', 8, at(['in', NEXT, 0], ['l', LONG, 0]));
    const outer = struct('o', 16, at(['first', LONG, 0], ['', NEXT + 1, 8]));
    expect(textOf(inner, either, outer)).toBe(`struct o {
	long int                   first;                /*     0     8 */
	union {
		struct {
			int        x;                    /*     8     4 */
			int        y;                    /*    12     4 */
		} in;                                    /*     8     8 */
		long int           l;                    /*     8     8 */
	};                                               /*     8     8 */

	/* size: 16, cachelines: 1, members: 2 */
	/* last cacheline: 16 bytes */
};
`);
  });

  it('have offsets from 0 behind a pointer', () => {
    expect(memberLine(struct('', 4, at(['x', INT, 0])), ptr(NEXT))).toBe(
      '\tstruct {\n\t\tint        x;                    /*     0     4 */\n\t} * m; /*     0     8 */',
    );
  });

  it('lose their name behind a const, and have a summary', () => {
    const text = textOf(
      struct('', 8, at(['x', INT, 0], ['y', INT, 4])),
      modifier('const', NEXT),
      struct('s', 8, at(['m', NEXT + 1, 0])),
    );
    expect(text).toContain('\tconst struct {\n\t\tint          x;');
    expect(text).toContain('\t\t/* size: 8, cachelines: 1, members: 2 */\n');
    expect(text).toContain('\n\t}; /*     0     8 */\n');
  });

  it('are elements of arrays with the inner bounds first', () => {
    const types = [union('', 4, at(['x', INT, 0])), array(NEXT, INT, 3), array(NEXT + 1, INT, 2)];
    expect(memberLine(...types)).toContain('\n\t} m[3][2]; /*     0    24 */');
  });

  it('can be enumerations, whose values are unsigned', () => {
    const values = enumeration(
      '',
      [
        ['AA', 1],
        ['BBBB', -1],
      ],
      { signed: true, size: 1 },
    );
    expect(memberLine(values)).toBe(
      `\tenum {\n\t\tAA   = 1,\n\t\tBBBB = 4294967295,\n\t} __attribute__((__packed__)) m;${' '.repeat(45)}/*     0     1 */`,
    );
    expect(memberLine(enum64('', [['X', -2n]]))).toContain('\t\tX = 18446744073709551614,\n');
    expect(memberLine(enumeration('', []))).toMatch(/^\tenum m; +\/\* {5}0 {5}4 \*\/$/);
  });
});

describe('declarations', () => {
  const line = (declaration: string, size: number) =>
    `${`\t${declaration};`.padEnd(50)}/*     0 ${`${size}`.padStart(5)} */`;

  it.each<[string, string, number, readonly TypeRecord[]]>([
    ['a pointer', 'int *                      m', 8, [ptr(INT)]],
    ['a pointer to void', 'void *                     m', 8, [ptr(0)]],
    ['a typedef', 't                          m', 8, [typedef('t', LONG)]],
    ['a forward declaration', 'union u                    m', 0, [fwd('u', 'union')]],
    ['a const', 'const int                  m', 4, [modifier('const', INT)]],
    ['a volatile', 'volatile int               m', 4, [modifier('volatile', INT)]],
    ['a const void', 'const const void           m', 0, [modifier('const', 0)]],
    ['restrict', 'int * restrict             m', 8, [ptr(INT), modifier('restrict', NEXT)]],
    [
      'a const behind a pointer',
      'const int  *               m',
      8,
      [modifier('const', INT), ptr(NEXT)],
    ],
    [
      'a const pointer behind a pointer',
      'int * const *              m',
      8,
      [ptr(INT), modifier('const', NEXT), ptr(NEXT + 1)],
    ],
    ['a float', 'single double              m', 8, [float('double', 8)]],
    ['an int without a name', 'nameless base type!        m', 4, [int('', 4)]],
    ['an array', 'int                        m[2]', 8, [array(INT, INT, 2)]],
    ['a sole array of none', 'int                        m[0]', 0, [array(INT, INT, 0)]],
    [
      'a const array',
      'const int                  m[2]',
      8,
      [array(INT, INT, 2), modifier('const', NEXT)],
    ],
    ['a function', 'int                        (m)(void)', 4, [funcProto(INT)]],
  ])('%s', (_name, declaration, size, types) => {
    expect(memberLine(...types)).toBe(line(declaration, size));
  });

  it('writes an empty array as flexible only at the end, and not in a union', () => {
    const flexible = array(CHAR, INT, 0);
    const members = at(['a', NEXT, 0], ['i', INT, 0], ['b', NEXT, 4]);
    const text = textOf(flexible, struct('s', 4, members), union('u', 4, members));
    expect(text.match(/[ab]\[0?\]/g)).toEqual(['a[0]', 'b[]', 'a[0]', 'b[0]']);
  });

  it('writes functions with parameters, also of function type', () => {
    const types = [
      funcProto(0, [
        ['a', INT],
        ['', CHAR],
        ['', 0],
      ]),
      ptr(NEXT),
      funcProto(NEXT + 1, [
        ['cb', NEXT + 1],
        ['d', NEXT],
        ['', NEXT + 1],
      ]),
      ptr(NEXT + 2),
    ];
    expect(memberLine(...types)).toBe(
      '\tvoid ()(int a, char, ...) * (*m)(void (*cb)(int a, char, ...), inline void d(int a, char, ...), void (*)(int a, char, ...)); /*     0     8 */',
    );
  });

  it('cuts the name of a type to 127 bytes, and no other name', () => {
    const name = 'n'.repeat(200);
    expect(memberLine(struct(name, 8, []), ptr(NEXT))).toMatch(/^\tstruct n{120} m; +\/\*/);
    expect(memberLine(struct(name, 8, []))).toMatch(/^\tstruct n{200} m; +\/\*/);
  });

  it('writes bytes of names unchanged', () => {
    expect(textOf(struct(String.fromCodePoint(0xe9), 0, []))).toContain('struct \xc3\xa9 {');
  });
});

describe('missing types', () => {
  it.each<[string, string, readonly TypeRecord[]]>([
    ['a pointer', '<ERROR                    > m', [ptr(NOWHERE)]],
    ['a type tag', '<ERROR                    > m', [typeTag('user', INT), ptr(NEXT)]],
    [
      'a pointer to one',
      '<ERROR(tag__ptr_name:496): 0x3e7 not found!> * * m',
      [ptr(NOWHERE), ptr(NEXT)],
    ],
    ['a volatile', '<ERROR(__tag__name:572): 0x3e7 not found!> m', [modifier('volatile', NOWHERE)]],
    [
      'an array behind a pointer',
      '<ERROR(__tag__name:590): 0 not found!> * m',
      [array(0, INT, 3), ptr(NEXT)],
    ],
    ['an array', '<ERROR(array_type__fprintf:238): 999 not found!>\n', [array(NOWHERE, INT, 3)]],
    [
      'const elements',
      '<ERROR                    > m[0]',
      [modifier('const', NOWHERE), array(NEXT, INT, 0)],
    ],
    [
      'itself',
      '<ERROR(type__fprintf:775): detected type loop: type=5, tag=pointer_type>\n',
      [ptr(NEXT)],
    ],
  ])('%s', (_name, declaration, types) => {
    expect(memberLine(...types)).toContain(`\t${declaration};`);
  });

  it('can be members of a struct, and parameters', () => {
    expect(textOf(struct('s', 8, at(['m', NOWHERE, 0])))).toContain(
      '\t<ERROR(__class__fprintf:1609): 999 not found!>\n\n\t/* size',
    );
    const types = [funcProto(0, [['a', NOWHERE]]), ptr(NEXT)];
    expect(memberLine(...types)).toContain('(*m)(<ERROR: type 999 not found> a);');
  });

  it('do not move the column of the comment', () => {
    const types = [ptr(NOWHERE), modifier('const', NEXT)];
    expect(memberLine(...types)).toBe(
      `\tconst <ERROR              > m;${' '.repeat(25)}/*     0     8 */`,
    );
  });
});

describe('the selection of types', () => {
  const first = struct('one', 4, at(['i', INT, 0]));

  it('prints types with a name, in the order of ids, except forward declarations', () => {
    const text = textOf(fwd('a'), union('u', 4, at(['i', INT, 0])), struct('', 4, []), first);
    expect(text.match(/^(struct|union) .*\{/gm)).toEqual(['union u {', 'struct one {']);
  });

  it('prints types once that differ only in member types or kind', () => {
    const same = struct('one', 4, at(['i', NEXT, 0]));
    const alike = union('one', 4, at(['i', INT, 0]));
    const different = [struct('one', 4, at(['j', INT, 0])), struct('one', 8, at(['i', INT, 0]))];
    expect(textOf(first, same, alike, ...different).match(/^struct/gm)).toHaveLength(3);
  });
});

describe('pointers', () => {
  const bare = [int('int', 4), ptr(1), struct('s', 8, at(['p', 2, 0]))];

  it('have no size in a file of bare BTF without a long', () => {
    const t = tableOf(btfBlob({ types: bare }).bytes);
    expect(paholeOf(t, typeId(3))).toContain('p;                    /*     0     0 */');
    expect(paholeOf({ ...t, fileOffset: 64 }, typeId(3))).toContain('/*     0     8 */');
  });

  it.each([
    ['unsigned long', '4'],
    ['long long', '0'],
    ['int unsigned long', '4'],
  ])('are reported by %s', (name, size) => {
    const t = tableOf(btfBlob({ types: [...bare, int(name, 4)] }).bytes);
    expect(paholeOf(t, typeId(3))).toContain(`/*     0     ${size} */`);
  });
});

describe('paholeOf', () => {
  const anonymous = struct('', 4, at(['x', INT, 0]));
  const of = (id: number, ...types: readonly TypeRecord[]) =>
    paholeOf(tableWith(types), typeId(id), OLDER);

  it('returns a struct as in the whole output, also a repeated one', () => {
    const twice = struct('s', 4, at(['y', INT, 0]));
    expect(of(NEXT + 1, struct('s', 4, at(['y', CHAR, 0])), twice)).toBe(textOf(twice));
  });

  it.each<[string, string, readonly TypeRecord[]]>([
    ['void', 'typedef void t;\n', [typedef('t', 0)]],
    ['a struct', 'typedef struct s t;\n', [struct('s', 4, []), typedef('t', NEXT)]],
    ['a pointer', 'typedef int * t;\n', [ptr(INT), typedef('t', NEXT)]],
    ['a const', 'typedef const int  t;\n', [modifier('const', INT), typedef('t', NEXT)]],
    [
      'an array',
      'typedef int                        t[2];\n',
      [array(INT, INT, 2), typedef('t', NEXT)],
    ],
    ['a function', 'typedef void (t)(int a);\n', [funcProto(0, [['a', INT]]), typedef('t', NEXT)]],
    [
      'a pointer to a function',
      'typedef void (*t)(void);\n',
      [funcProto(0), ptr(NEXT), typedef('t', NEXT + 1)],
    ],
    [
      'an enumeration',
      'typedef enum {\n\tA = 1,\n} t;\n',
      [enumeration('', [['A', 1]]), typedef('t', NEXT)],
    ],
    [
      'structs in an array',
      'typedef struct {\n\tint                x;                    /*     0     4 */\n} t[2];\n',
      [anonymous, array(NEXT, INT, 2), typedef('t', NEXT + 1)],
    ],
    [
      'what is not there',
      'typedef <ERROR(typedef__fprintf:317): 999 not found!>\n t;\n',
      [typedef('t', NOWHERE)],
    ],
  ])('gives a typedef of %s', (_name, expected, types) => {
    expect(of(NEXT + types.length - 1, ...types)).toBe(expected);
  });

  it('returns a nameless struct with its typedef, and the reverse', () => {
    const types = [anonymous, typedef('t', NEXT)];
    const expected = `typedef struct {
	int                        x;                    /*     0     4 */

	/* size: 4, cachelines: 1, members: 1 */
	/* last cacheline: 4 bytes */
} t;
`;
    expect(of(NEXT, ...types)).toBe(expected);
    expect(of(NEXT + 1, ...types)).toBe(expected);
    expect(of(NEXT, anonymous)).toBe(expected.replace('typedef ', '').replace('} t', '}'));
  });

  it('returns the members of a union behind a typedef, which pahole omits', () => {
    const types = [union('', 4, at(['x', INT, 0])), typedef('t', NEXT)];
    expect(of(NEXT + 1, ...types)).toMatch(/^typedef union \{\n\tint +x; .*\n\} t;\n$/);
  });

  it('returns enumerations, and null for other kinds', () => {
    expect(of(NEXT, enumeration('e', [['A', 1]]))).toBe('enum e {\n\tA = 1,\n};\n');
    expect(of(INT)).toBe('');
    expect(of(NEXT, fwd('f'))).toBe('');
    expect(of(NOWHERE)).toBe('');
  });
});
