import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { copyTypes } from '#analysis/rewrite/copy-types.ts';
import { type TypeId, typeId } from '#model/ids.ts';
import { lastId, type TypeTable } from '#model/type-table.ts';
import {
  array,
  declTag,
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
  union,
} from '#testing/btf-types.ts';
import { anyTypes, graphFrom, tableFrom } from '#testing/compared-types.ts';
import { runs } from '#testing/runs.ts';
import { tableOf } from '#testing/type-table.ts';
import { facetCounts } from './changes.ts';
import { compareTypes, loneType, pairGraphOf, type TypeComparison } from './compare-types.ts';
import { changeText, linePlace, lineText } from './comparison-text.ts';

const U32 = int('u32', 4);
const U64 = int('u64', 8);
const S32 = int('s32', 4, { encoding: 1 });
const member = (name: string, type: number, bytes: number): Member => ({
  name,
  type,
  bitOffset: 8 * bytes,
});

/** Returns the differences as text, one line per difference. */
function told(comparison: TypeComparison, before: TypeTable, after: TypeTable): string[] {
  return [
    ...comparison.head.map(changeText),
    ...comparison.lines.flatMap(({ a, b, changes }) => {
      const line = b ?? a;
      const words = line === null ? '' : lineText(b === null ? before : after, line);
      return changes.map(
        (change) => `${words}: ${changeText(change)}${change.follows === true ? ' (follows)' : ''}`,
      );
    }),
  ];
}

function differences(before: readonly TypeRecord[], after: readonly TypeRecord[], id = 1) {
  const [a, b] = [tableFrom(before), tableFrom(after)];
  return told(compareTypes(pairGraphOf(a, b), typeId(id), typeId(id)), a, b);
}

const two = (m: readonly Member[], size: number, others: readonly TypeRecord[] = []) => [
  struct('s', size, m),
  U32,
  U64,
  S32,
  ...others,
];

/** Returns a struct with `struct_group(headers, …)`: a union of an unnamed struct and a named copy. */
const grouped = (members: readonly Member[], bytes: number) => [
  struct('s', bytes + 4, [member('first', 2, 0), member('', 5, 4)]),
  U32,
  U64,
  S32,
  union('', bytes, [member('', 6, 0), member('headers', 7, 0)]),
  struct('', bytes, members),
  struct('', bytes, members),
];

describe('compareTypes counts members as pahole lists them', () => {
  const counts = (before: readonly TypeRecord[], after: readonly TypeRecord[]) => {
    const comparison = compareTypes(graphFrom(before, after), typeId(1), typeId(1));
    const [, added, removed, , moved] = facetCounts(comparison);
    return { added, removed, moved };
  };
  const [x, y] = [member('x', 2, 0), member('y', 2, 4)];

  it('once in the copies of a struct_group, and no anonymous struct or union', () => {
    const before = grouped([x, y], 8);
    const after = grouped([member('n', 2, 0), member('x', 2, 4), member('y', 2, 8)], 12);
    expect(counts(before, after)).toEqual({ added: 1, removed: 0, moved: 2 });
    expect(counts(after, before)).toEqual({ added: 0, removed: 1, moved: 2 });
    expect(differences(before, after).filter((text) => text.startsWith('u32 n'))).toHaveLength(1);
  });

  it('in a named struct that is no copy', () => {
    const before = grouped([x, y], 8).with(6, struct('', 8, [x]));
    const after = before.with(6, struct('', 8, [x, member('z', 2, 4)]));
    expect(counts(before, after)).toEqual({ added: 1, removed: 0, moved: 0 });
  });
});

describe('compareTypes with holes', () => {
  const inner = (bytes: number) => [
    struct('s', 32, [member('x', 2, 0), member('', 5, 8), member('z', 2, 24)]),
    U32,
    U64,
    S32,
    struct('', 16, [member('a', 2, 0), member('b', 2, bytes)]),
  ];
  const told = (before: readonly TypeRecord[], after: readonly TypeRecord[]) => {
    const graph = graphFrom(before, after);
    const { lines } = compareTypes(graph, typeId(1), typeId(1), { hasHoles: true });
    const { types } = graph.sides.b;
    return lines.flatMap(({ a, b, changes }) => {
      const line = b ?? a;
      if (line?.role !== 'hole') return [];
      const words = changes.map(changeText).join();
      return [`${linePlace(line)} ${lineText(types, line)}${words === '' ? '' : `: ${words}`}`];
    });
  };

  it('lists those between members and inside of an anonymous struct', () => {
    expect(told(inner(8), inner(8))).toEqual([
      '0x4 /* hole: 4 bytes */',
      '0xc /* hole: 4 bytes */',
      '0x14 /* padding: 4 bytes */',
      '0x1c /* padding: 4 bytes */',
    ]);
  });

  it('shows which grew, appeared and went', () => {
    expect(told(inner(8), inner(12))).toEqual([
      '0x4 /* hole: 4 bytes */',
      '0xc /* hole: 8 bytes */: hole 4 bytes → 8 bytes',
      '0x14 /* padding: 4 bytes */: removed',
      '0x1c /* padding: 4 bytes */',
    ]);
    expect(told(inner(8), inner(4))).toContain('0xc /* hole: 4 bytes */: removed');
    expect(told(inner(4), inner(8))).toContain('0xc /* hole: 4 bytes */: added');
  });
});

it('compareTypes tells why every char is changed inside', () => {
  const kernel = (encoding: number) => [
    struct('s', 17, [member('name', 3, 0), member('c', 2, 16)]),
    int('char', 1, { encoding }),
    array(2, 2, 16),
  ];
  const why =
    'char: signed, 8 bits → unsigned, 8 bits (Linux compiles with -funsigned-char since 6.2)';
  expect(differences(kernel(1), kernel(0))).toEqual([`char name[16]: ${why}`, `char c: ${why}`]);
});

describe('compareTypes, each difference in words', () => {
  const x = member('x', 2, 0);
  const y = member('y', 2, 4);
  it.each<[string, TypeRecord[], TypeRecord[], string[]]>([
    ['nothing', two([x, y], 8), two([x, y], 8), []],
    [
      'a member added in front: what follows from it is no news',
      two([x, y], 8),
      two([member('n', 3, 0), member('x', 2, 8), member('y', 2, 12)], 16),
      [
        'size 8 → 16',
        'u64 n: added',
        'u32 x: offset moved 0x0 → 0x8 (follows)',
        'u32 y: offset moved 0x4 → 0xc (follows)',
      ],
    ],
    ['removed', two([x, y], 8), two([x], 4), ['size 8 → 4', 'u32 y: removed']],
    ['another type', two([x], 8), two([member('x', 3, 0)], 8), ['u64 x: type u32 → u64']],
    ['another sign', two([x], 4), two([member('x', 4, 0)], 4), ['s32 x: signedness u32 → s32']],
    ['renamed', two([x, y], 8), two([x, member('z', 2, 4)], 8), ['u32 z: in the place of y']],
    [
      'renamed by its words, in another place',
      two([x, member('idle_h_nr_running', 2, 32), member('h_nr_queued', 2, 64)], 12),
      two([x, member('h_nr_runnable', 2, 32), member('h_nr_idle', 2, 64)], 12),
      [
        'u32 h_nr_runnable: added',
        'u32 h_nr_idle: renamed? was idle_h_nr_running',
        'u32 h_nr_idle: offset moved 0x20 → 0x40 (follows)',
        'u32 h_nr_queued: removed',
      ],
    ],
    [
      'moved without a reason above it',
      two([x, y], 16),
      two([x, member('y', 2, 8)], 16),
      ['u32 y: offset moved 0x4 → 0x8'],
    ],
    [
      'a bit-field that became plain',
      two([{ ...x, bitfieldSize: 3 }], 4),
      two([x], 4),
      ['u32 x: bit-field of 3 became plain'],
    ],
    [
      'the length of an array',
      two([member('x', 5, 0)], 4, [array(2, 2, 16)]),
      two([member('x', 5, 0)], 4, [array(2, 2, 32)]),
      ['u32 x[32]: array length 16 → 32'],
    ],
    [
      'a pointer to a type of another name',
      two([member('x', 5, 0)], 8, [ptr(6), struct('foo', 0, [])]),
      two([member('x', 5, 0)], 8, [ptr(6), struct('bar', 0, [])]),
      ['struct bar *x: type struct foo * → struct bar *'],
    ],
    [
      'a pointer to a type that is another inside: behind pointers only the name counts',
      two([member('x', 5, 0)], 8, [ptr(6), struct('foo', 0, [])]),
      two([member('x', 5, 0)], 8, [ptr(6), struct('foo', 4, [])]),
      [],
    ],
    [
      'a struct that is only declared on one side, behind a pointer',
      two([member('x', 5, 0)], 8, [ptr(6), struct('foo', 0, [])]),
      two([member('x', 5, 0)], 8, [ptr(6), fwd('foo')]),
      [],
    ],
    [
      'something that it holds',
      two([member('x', 5, 0)], 8, [struct('foo', 8, [])]),
      two([member('x', 5, 0)], 8, [struct('foo', 4, [])]),
      ['struct foo x: changed inside'],
    ],
    [
      'what moves into an anonymous union is still the same member',
      two([x, y], 8),
      two([x, member('', 5, 4)], 8, [union('', 4, [member('y', 2, 0), member('z', 2, 0)])]),
      ['union {: added', 'u32 y: in another anonymous struct or union', 'u32 z: added'],
    ],
    ['a declaration tag', two([x], 4), two([x], 4, [declTag('hot', 1)]), ['tag hot added']],
    [
      'enumerators: a value that follows from an added one',
      [
        enumeration('e', [
          ['A', 0],
          ['B', 1],
          ['C', 7],
        ]),
      ],
      [
        enumeration('e', [
          ['A', 0],
          ['N', 1],
          ['B', 2],
          ['C', 9],
        ]),
      ],
      ['N = 1: added', 'B = 2: value 1 → 2 (follows)', 'C = 9: value 7 → 9'],
    ],
    [
      'parameters and the return type',
      [
        func('f', 2),
        funcProto(3, [
          ['a', 3],
          ['b', 4],
        ]),
        U32,
        U64,
      ],
      [
        func('f', 2),
        funcProto(4, [
          ['b', 4],
          ['c', 3],
        ]),
        U32,
        U64,
      ],
      [
        'u64: type u32 → u64',
        'u32 a: removed',
        'u64 b: moved from index 2 to 1 (follows)',
        'u32 c: added',
      ],
    ],
    [
      'a typedef of another type',
      [typedef('t', 2), U32, U64],
      [typedef('t', 3), U32, U64],
      ['u64: type u32 → u64'],
    ],
    [
      'an integer',
      [int('i', 4)],
      [int('i', 4, { encoding: 1 })],
      ['encoding unsigned, 32 bits → signed, 32 bits'],
    ],
    ['another kind', [struct('s', 4, [])], [union('s', 4, [])], ['kind struct → union']],
  ])('%s', (_what, before, after, expected) => {
    expect(differences(before, after)).toEqual(expected);
  });

  it('reports a type that only one side has', () => {
    const graph = graphFrom([struct('s', 4, [member('x', 2, 0)]), U32], [U32]);
    const { lines, verdict } = loneType(graph, 'a', typeId(1));
    expect(verdict).toBe('direct');
    expect(lines.map(({ a, b, changes }) => [a?.index, b, changes[0]?.what])).toEqual([
      [0, null, 'removed'],
    ]);
  });
});

function* idsOf(t: TypeTable): Generator<TypeId> {
  for (let n = 1; n <= lastId(t); n++) yield typeId(n);
}

describe('compareTypes, on any types whatever', () => {
  // A copy replaces invalid references by void, so this test uses tables without them.
  const whole = anyTypes(10).map((types) => {
    const t = tableFrom(types);
    return tableOf(copyTypes(t, idsOf(t)).blob);
  });

  it('finds no difference in a copy with its types in another order', () => {
    fc.assert(
      fc.property(whole, fc.boolean(), (t, isReversed) => {
        const ids = isReversed ? [...idsOf(t)].reverse() : [...idsOf(t)];
        const { blob, idMap } = copyTypes(t, ids);
        const graph = pairGraphOf(t, tableOf(blob));
        for (const [id, copied] of idMap) {
          const comparison = compareTypes(graph, id, typeId(copied));
          expect(comparison.verdict).toBe('same');
          expect(comparison.head).toEqual([]);
          expect(comparison.lines.flatMap(({ changes }) => changes)).toEqual([]);
        }
      }),
    );
  });

  it('is symmetric, and has as many lines both ways', () => {
    fc.assert(
      fc.property(whole, whole, (a, b) => {
        const there = pairGraphOf(a, b);
        const back = pairGraphOf(b, a);
        for (const x of idsOf(a)) {
          for (const y of idsOf(b)) {
            const one = compareTypes(there, x, y);
            const other = compareTypes(back, y, x);
            expect(other.verdict).toBe(one.verdict);
            expect(other.lines.length).toBe(one.lines.length);
            expect(other.head.length).toBe(one.head.length);
          }
        }
      }),
      { numRuns: runs(60) },
    );
  });

  it('is changed if and only if one of its own lines differs', () => {
    fc.assert(
      fc.property(whole, whole, (a, b) => {
        const graph = pairGraphOf(a, b);
        for (const x of idsOf(a)) {
          for (const y of idsOf(b)) {
            const { verdict, head, lines } = compareTypes(graph, x, y);
            const own = [...head, ...lines.flatMap(({ changes }) => changes)];
            if (verdict === 'same') expect(own).toEqual([]);
            if (verdict === 'inside') expect(own.every(({ what }) => what === 'inside')).toBe(true);
          }
        }
      }),
      { numRuns: runs(60) },
    );
  });

  it('finds one edited member, and no other change', () => {
    const edit = fc.constantFrom('rename', 'retype', 'drop', 'bits' as const);
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 9 }), fc.nat(), edit, (count, seed, how) => {
        const members = Array.from({ length: count }, (_, i) => member(`m${i}`, 2, 8 * i));
        const at = seed % count;
        const edited = members.flatMap((one, i): Member[] => {
          if (i !== at) return [one];
          if (how === 'drop') return [];
          if (how === 'rename') return [{ ...one, name: 'other' }];
          return how === 'retype' ? [{ ...one, type: 3 }] : [{ ...one, bitfieldSize: 5 }];
        });
        const found = differences(two(members, 96), two(edited, 96));
        expect(found).toHaveLength(1);
        expect(found[0]).toMatch(
          {
            rename: /^u32 other: in the place of m/,
            retype: /type u32 → u64/,
            drop: /removed$/,
            bits: /became a bit-field of 5/,
          }[how],
        );
      }),
    );
  });
});

describe('compareTypes, on hostile types', () => {
  it('goes around a circle of pointers, and of structs that hold themselves', () => {
    const types = [
      struct('s', 8, [member('next', 2, 0), member('', 3, 0)]),
      ptr(1),
      struct('', 8, [member('', 3, 0), member('v', 4, 0)]),
      modifier('const', 4),
    ];
    const { verdict, isCut } = compareTypes(graphFrom(types, types), typeId(1), typeId(1));
    expect(verdict).toBe('same');
    expect(isCut).toBe(true);
  });

  it('follows a chain of 10,000, and finds the difference at its end', () => {
    const chain = (last: TypeRecord) => [
      ...Array.from({ length: 10_000 }, (_, i) =>
        modifier(i % 2 === 0 ? 'const' : 'volatile', i + 2),
      ),
      last,
    ];
    const graph = graphFrom(chain(U32), chain(U64));
    expect(compareTypes(graph, typeId(1), typeId(1)).verdict).toBe('direct');
    const held = graphFrom(chain(struct('s', 4, [])), chain(struct('s', 8, [])));
    expect(compareTypes(held, typeId(1), typeId(1)).verdict).toBe('inside');
  });

  it('takes ids that do not exist', () => {
    const graph = graphFrom([ptr(77)], [ptr(88)]);
    expect(compareTypes(graph, typeId(1), typeId(1)).verdict).toBe('same');
    expect(compareTypes(graph, typeId(0), typeId(5)).lines).toEqual([]);
  });
});
