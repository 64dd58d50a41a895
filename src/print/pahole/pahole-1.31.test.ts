/**
 * Tests each difference between pahole 1.31 and 1.24. The expected texts follow from the source of
 * 1.31: btf_loader.c, dwarves.c and dwarves_fprintf.c of acmel/dwarves.
 */
import { describe, expect, it } from 'vitest';
import { typeId } from '#model/ids.ts';
import {
  array,
  declTag,
  enum64,
  enumeration,
  funcProto,
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
import { type PaholeOptions, paholeOf } from './pahole.ts';

const OLDER: PaholeOptions = { pahole: '1.24' };

const newerText = (types: readonly TypeRecord[]) => paholeText({}, types);
const memberLine = (...types: readonly TypeRecord[]) => paholeMember({}, types);

const bits = (name: string, type: number, bitOffset: number, bitfieldSize: number): Member => ({
  name,
  type,
  bitOffset,
  bitfieldSize,
});

describe('a member that is a struct', () => {
  /** Returns the remark after a member of type `inner` (the last of `types`), and the summary. */
  const remarksOn = (...types: readonly TypeRecord[]) => {
    const member = NEXT + types.length - 1;
    const text = newerText([...types, struct('o', 128, at(['in', member, 0], ['i', INT, 124]))]);
    return text.slice(text.indexOf('struct o {')).match(/\/\* (XXX last|member|flex|padd).*/g);
  };

  it('has a remark on paddings and holes, and sums', () => {
    const inner = struct('inner', 24, [
      bits('a', INT, 0, 3),
      bits('b', INT, 5, 4),
      { name: 'c', type: CHAR, bitOffset: 64, bitfieldSize: 0 },
      { name: 'i', type: INT, bitOffset: 96, bitfieldSize: 0 },
      bits('d', INT, 128, 1),
    ]);
    expect(remarksOn(inner)).toEqual([
      '/* XXX last struct has 4 bytes of padding, 31 bits of padding, 2 holes, 2 bit holes */',
      '/* member types with holes: 1, total: 2, bit holes: 1, total: 2, bit paddings: 1, total: 31 bits */',
      '/* paddings: 1, sum paddings: 4 */',
    ]);
  });

  it('has a singular remark for one padding or hole', () => {
    const holed = struct('h', 8, at(['c', CHAR, 0], ['i', INT, 4]));
    expect(remarksOn(holed)).toEqual([
      '/* XXX last struct has 1 hole */',
      '/* member types with holes: 1, total: 1 */',
    ]);
    expect(remarksOn(struct('b', 4, [bits('a', INT, 0, 31)]))).toEqual([
      '/* XXX last struct has 1 bit of padding */',
      '/* member types with bit paddings: 1, total: 1 bit */',
    ]);
  });

  it('has a remark on flexible arrays at its end and inside', () => {
    const flexible = [
      array(CHAR, INT, 0),
      struct('f', 4, at(['n', INT, 0], ['data', NEXT, 4])),
      typedef('f_t', NEXT + 1),
    ];
    const holding = struct('h', 8, at(['f', NEXT + 2, 0], ['i', INT, 4]));
    const both = struct('b', 8, at(['h', NEXT + 3, 0], ['data', NEXT, 8]));
    expect(remarksOn(...flexible.slice(0, 2))).toEqual([
      '/* XXX last struct has a flexible array */',
      '/* flexible array members: end: 1 */',
    ]);
    expect(remarksOn(...flexible, holding)).toEqual([
      '/* XXX last struct has embedded flexible array(s) */',
      '/* flexible array members: middle: 1 */',
    ]);
    expect(remarksOn(...flexible, holding, both)).toEqual([
      '/* XXX last struct has a flexible array, embedded flexible array(s) */',
      '/* flexible array members: end: 1, middle: 1 */',
    ]);
  });

  it('has no remark on an array with elements, behind a typedef, or not at the end', () => {
    const fixed = [array(CHAR, INT, 1), struct('s', 4, at(['data', NEXT, 0]))];
    expect(remarksOn(...fixed)).toContain('/* XXX last struct has 3 bytes of padding */');
    const named = [
      array(CHAR, INT, 0),
      typedef('a', NEXT),
      struct('s', 4, at(['i', INT, 0], ['data', NEXT + 1, 4])),
    ];
    expect(remarksOn(...named)).toBeNull();
    const first = [array(CHAR, INT, 0), struct('s', 4, at(['data', NEXT, 0], ['i', INT, 0]))];
    expect(remarksOn(...first)).toBeNull();
  });

  it('can contain itself, or a missing last member', () => {
    const inner = struct('a', 4, at(['self', NEXT, 0], ['i', NOWHERE, 0]));
    expect(remarksOn(inner)?.[0]).toMatch(/^\/\* XXX last struct has /);
    const round = [struct('a', 4, at(['b', NEXT + 1, 0])), struct('b', 4, at(['a', NEXT, 0]))];
    expect(remarksOn(...round)).toBeNull();
  });

  it('has remarks in the order of lines', () => {
    const inner = struct('inner', 8, at(['c', CHAR, 0], ['s', SHORT, 4]));
    const outer = struct('outer', 24, at(['in', NEXT, 0], ['l', LONG, 16]));
    expect(newerText([inner, outer])).toContain(`struct outer {
	struct inner               in;                   /*     0     8 */

	/* XXX last struct has 2 bytes of padding, 1 hole */
	/* XXX 8 bytes hole, try to pack */

	long int                   l __attribute__((__aligned__(16))); /*    16     8 */

	/* size: 24, cachelines: 1, members: 2 */
	/* sum members: 16, holes: 1, sum holes: 8 */
	/* member types with holes: 1, total: 1 */
	/* paddings: 1, sum paddings: 2 */
	/* forced alignments: 1, forced holes: 1, sum forced holes: 8 */
	/* last cacheline: 24 bytes */
`);
  });
});

it('writes enumerations with their signs', () => {
  const values = (signed: boolean) =>
    enumeration(
      '',
      [
        ['AA', 1],
        ['BBBB', -1],
      ],
      { signed },
    );
  expect(memberLine(values(true))).toContain('\t\tAA   = 1,\n\t\tBBBB = -1,\n');
  expect(memberLine(values(false))).toContain('\t\tBBBB = 4294967295,\n');
  const wide = enum64(
    '',
    [
      ['X', -2n],
      ['Y', -(2n ** 63n)],
      ['Z', 2n ** 40n],
    ],
    { signed: true },
  );
  expect(memberLine(wide)).toContain(
    '\t\tX = -2,\n\t\tY = -9223372036854775808,\n\t\tZ = 1099511627776,\n',
  );
  expect(memberLine(enum64('', [['X', -2n]], { signed: false }))).toContain(
    '\t\tX = 18446744073709551614,\n',
  );
});

describe('a type tag', () => {
  const tagged = typeTag('user', INT);
  const line = (declaration: string, size: number) =>
    `${`\t${declaration};`.padEnd(50)}/*     0 ${`${size}`.padStart(5)} */`;

  it.each<[string, string, number, readonly TypeRecord[]]>([
    ['behind a pointer', 'int *                      m', 8, [tagged, ptr(NEXT)]],
    ['twice', 'int *                      m', 8, [tagged, typeTag('rcu', NEXT), ptr(NEXT + 1)]],
    ['by itself', 'int                        m', 4, [tagged]],
    ['on void', 'void *                     m', 8, [typeTag('user', 0), ptr(NEXT)]],
    [
      'on a const',
      'const int  *               m',
      8,
      [modifier('const', INT), typeTag('user', NEXT), ptr(NEXT + 1)],
    ],
    ['in an array', 'int                        m[2]', 8, [tagged, array(NEXT, INT, 2)]],
    [
      'on a function',
      'int                        (*m)(void)',
      8,
      [funcProto(INT), typeTag('rcu', NEXT), ptr(NEXT + 1)],
    ],
  ])('is looked through %s', (_name, declaration, size, types) => {
    expect(memberLine(...types)).toBe(line(declaration, size));
  });

  it('is skipped on a nameless struct', () => {
    const types = [struct('', 4, at(['x', INT, 0])), typeTag('rcu', NEXT), ptr(NEXT + 1)];
    expect(memberLine(...types)).toBe(
      '\tstruct {\n\t\tint        x;                    /*     0     4 */\n\t} * m; /*     0     8 */',
    );
  });

  it('can form a circle', () => {
    const types = [typeTag('a', NEXT + 1), typeTag('b', NEXT), ptr(NEXT), ptr(NEXT + 2)];
    expect(memberLine(...types)).toContain('m;');
    expect(memberLine(...types.slice(0, 2))).toContain('detected type loop');
  });
});

it('writes no decl tags', () => {
  const plain = struct('s', 4, at(['i', INT, 0]));
  const tags = [declTag('on_struct', NEXT, -1), declTag('on_member', NEXT, 0)];
  expect(newerText([plain, ...tags])).toBe(newerText([plain]));
});

describe('an alignment', () => {
  it('is inferred for arrays without elements', () => {
    const types = [
      array(CHAR, INT, 0),
      struct('mark', 16, at(['i', INT, 0], ['begin', NEXT, 8], ['l', LONG, 8])),
    ];
    expect(newerText(types)).toContain(
      '\tchar                       begin[0] __attribute__((__aligned__(8))); /*     8     0 */\n' +
        '\tlong int                   l;                    /*     8     8 */\n',
    );
    expect(newerText(types)).toContain(
      '\t/* forced alignments: 1, forced holes: 1, sum forced holes: 4 */\n',
    );
    expect(paholeText(OLDER, types)).not.toContain('aligned');
  });

  it('is inferred for a flexible array at the end', () => {
    const types = [array(CHAR, INT, 0), struct('flex', 64, at(['c', CHAR, 0], ['data', NEXT, 64]))];
    expect(newerText(types)).toContain(
      'data[] __attribute__((__aligned__(64))); /*    64     0 */',
    );
  });

  it('is inferred after a bit-field from the bytes that its bits reach', () => {
    // A bit-field of a long int that uses one byte, and a char far after this byte.
    const types = [
      struct('b', 16, [
        bits('flag', LONG, 0, 3),
        { name: 'c', type: CHAR, bitOffset: 64, bitfieldSize: 0 },
      ]),
    ];
    expect(newerText(types)).toContain('c __attribute__((__aligned__(8))); ');
    expect(paholeText(OLDER, types)).not.toContain('c __attribute__');
  });

  it('is inferred from the end of the last of several bit-fields', () => {
    const ending = (last: number) =>
      newerText([
        struct('b', 8, [
          bits('a', INT, 0, 4),
          bits('b', INT, 4, last),
          { name: 's', type: SHORT, bitOffset: 32, bitfieldSize: 0 },
        ]),
      ]);
    // 13 bits end in byte 2, 21 bits in byte 3, and 29 bits in byte 4.
    expect(ending(9)).toContain('s __attribute__((__aligned__(4))); ');
    expect(ending(17)).not.toContain('s __attribute__');
    expect(ending(25)).not.toContain('s __attribute__');
  });
});

it('has no hole between overlapping members', () => {
  const types = [struct('s', 8, at(['l', LONG, 0], ['i', INT, 4]))];
  expect(newerText(types)).not.toContain('hole,');
  expect(paholeText(OLDER, types)).toContain('/* XXX 65532 bytes hole, try to pack */');
});

it('keeps the name of a const union, but not of a const struct', () => {
  const constant = (type: TypeRecord) =>
    newerText([type, modifier('const', NEXT), struct('s', 4, at(['m', NEXT + 1, 0]))]);
  expect(constant(union('', 4, at(['x', INT, 0])))).toContain('\n\t} m; ');
  expect(constant(struct('', 4, at(['x', INT, 0])))).toContain('\n\t}; ');
});

it('returns one type by itself', () => {
  const t = tableWith([enumeration('e', [['A', -1]], { signed: true })]);
  expect(paholeOf(t, typeId(NEXT))).toBe('enum e {\n\tA = -1,\n};\n');
  expect(paholeOf(t, typeId(NEXT), OLDER)).toBe('enum e {\n\tA = 4294967295,\n};\n');
});
