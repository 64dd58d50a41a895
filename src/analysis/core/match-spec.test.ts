/** Tests the match of single candidates by member, element and enumerator. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { typeId } from '#model/ids.ts';
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
  union,
} from '#testing/btf-types.ts';
import { matchCase, typesOfBlob } from '#testing/core-cases.ts';
import { runs } from '#testing/runs.ts';
import { matchSpec } from './match-spec.ts';
import { walkAccess } from './parse-spec.ts';
import { localSpec } from './spec.ts';
import type { TraceStep } from './trace.ts';
import { Work } from './type-pairs.ts';

const member = (name: string, type: number, bitOffset = 0): Member => ({ name, type, bitOffset });
const MATCH = { outcome: 'match' };

describe('a member', () => {
  const local = [int('int', 4), struct('s', 8, [member('a', 1), member('b', 1, 32)])];

  it.each([
    [
      'where it has moved to',
      [int('int', 4), struct('s', 16, [member('x', 1), member('b', 1, 64)])],
      's.b (0:1 @ offset 8)',
    ],
    [
      'in a union, in a struct, without names, in place',
      [
        int('int', 4),
        struct('', 8, [member('y', 1), member('b', 1, 32)]),
        union('', 8, [member('x', 1), member('', 2)]),
        struct('s', 32, [member('a', 1), member('', 3, 64), member('b', 1, 192)]),
      ],
      's.b (0:1:1:1 @ offset 12)',
    ],
    [
      'behind typedefs, which is seen as it is',
      [int('int', 4), modifier('const', 1), typedef('t', 2), struct('s', 8, [member('b', 3, 32)])],
      's.b (0:0 @ offset 4)',
    ],
    [
      'as an integer of another size and sign',
      [int('char', 1, { encoding: 1 }), struct('s', 8, [member('b', 1, 8)])],
      's.b (0:0 @ offset 1)',
    ],
  ])('is found %s', (_what, target, text) => {
    expect(matchCase(local, target, '0:1')).toMatchObject({
      verdict: MATCH,
      text: `struct ${text}`,
    });
  });

  it('is compared whole: a flavour counts there', () => {
    const target = [int('int', 4), struct('s', 4, [member('b___x', 1)])];
    expect(matchCase(local, target, '0:1').verdict).toEqual({
      outcome: 'miss',
      miss: { why: 'no-member', type: 2, name: 'b' },
    });
  });

  it('of the right name decides, though another one would fit', () => {
    const target = [int('int', 4), ptr(1), struct('s', 16, [member('b', 2), member('b', 1, 64)])];
    const { verdict, text } = matchCase(local, target, '0:1');
    expect(verdict).toMatchObject({
      miss: { why: 'incompatible', name: 'b', mismatch: { rule: 'kind' } },
    });
    expect(text).toBe('struct s (0:0 @ offset 0)');
  });

  it('that does not fit inside of an anonymous one is passed, and leaves its trace', () => {
    const target = [
      int('int', 4),
      ptr(1),
      struct('', 16, [member('x', 1), member('b', 2, 64)]),
      struct('s', 24, [member('', 3, 32), member('b', 1, 160)]),
    ];
    // libbpf subtracts 32 bits for the anonymous member, but keeps the 64 bits added inside it.
    expect(matchCase(local, target, '0:1')).toMatchObject({
      verdict: MATCH,
      text: 'struct s.b (0:0:1 @ offset 28)',
    });
  });

  it('is searched in itself no deeper than 64 indices', () => {
    const target = [int('int', 4), struct('s', 4, [member('', 2), member('b', 1)])];
    const { verdict, spec } = matchCase(local, target, '0:1');
    expect(verdict).toEqual({ outcome: 'fault', fault: 'too-deep', errno: -7 });
    expect(spec.raw).toHaveLength(64);
  });

  it.each([62, 63])('is found under %i anonymous structs only while indices last', (levels) => {
    const target: TypeRecord[] = [int('int', 4), struct('', 4, [member('b', 1)])];
    for (let level = 1; level < levels; level++)
      target.push(struct('', 4, [member('', level + 1)]));
    target.push(struct('s', 4, [member('', target.length)]));
    const { verdict } = matchCase(local, target, '0:1');
    expect(verdict.outcome).toBe(levels === 62 ? 'match' : 'fault');
  });

  it('is not searched twice in what two members share', () => {
    const target: TypeRecord[] = [int('int', 4), struct('', 4, [member('x', 1)])];
    for (let level = 0; level < 50; level++) {
      const below = target.length;
      target.push(struct('', 4, [member('', below), member('', below)]));
    }
    target.push(struct('s', 4, [member('', target.length), member('b', 1)]));
    const { verdict, steps, text } = matchCase(local, target, '0:1');
    expect(verdict).toEqual(MATCH);
    expect(text).toBe('struct s.b (0:1 @ offset 0)');
    expect(steps.length).toBeLessThan(1000);
  });

  it('may be in a struct here and in a union there, but not at the root', () => {
    const inner = struct('i', 4, [member('x', 1)]);
    const here = [int('int', 4), inner, struct('s', 4, [member('m', 2)])];
    const there = [
      int('int', 4),
      union('u', 4, [member('x', 1)]),
      struct('s', 4, [member('m', 2)]),
    ];
    expect(matchCase(here, there, '0:0:0').verdict).toEqual(MATCH);
  });
});

describe('fields', () => {
  const field = (...types: readonly TypeRecord[]) => [
    ...types,
    struct('s', 8, [member('f', types.length)]),
  ];
  const I = int('int', 4);
  it.each([
    ['two pointers', field(I, ptr(1)), field(ptr(0)), true],
    ['two floats', field(float('f', 4)), field(float('d', 8)), true],
    ['a struct and a union', field(struct('a', 4, [])), field(union('b', 4, [])), true],
    ['enums of one name', field(enumeration('e___x', [])), field(enum64('e', [])), true],
    ['enums of two names', field(enumeration('e', [])), field(enumeration('f', [])), false],
    ['an enum without a name', field(enumeration('', [])), field(enumeration('f', [])), true],
    ['forward declarations of one name', field(fwd('f')), field(fwd('f', 'union')), true],
    [
      'arrays of like elements',
      field(I, array(1, 1, 2)),
      field(int('long', 8), array(1, 1, 9)),
      true,
    ],
    ['arrays of unlike elements', field(I, array(1, 1, 2)), field(ptr(0), array(1, 1, 2)), false],
    [
      'an int that begins at bit 3',
      field(I),
      field(int('int', 4, { bitOffset: 3, bits: 4 })),
      false,
    ],
    ['an int and an enum', field(I), field(enumeration('', [])), false],
    ['two functions', field(funcProto(0)), field(funcProto(0)), false],
    ['arrays of themselves', field(array(1, 1, 0)), field(array(1, 1, 0)), false],
  ])('%s', (_what, local, target, fits) => {
    expect(matchCase(local, target, '0:0', 2).verdict.outcome).toBe(fits ? 'match' : 'miss');
  });
});

describe('an element', () => {
  const types = (nelems: number, last = true): TypeRecord[] => [
    int('int', 4),
    array(1, 1, nelems),
    struct(
      's',
      64,
      last ? [member('n', 1), member('a', 2, 32)] : [member('a', 2, 32), member('n', 1)],
    ),
  ];

  it.each([
    ['inside', types(8), true],
    ['outside', types(5), false],
    ['of a flexible array', types(0), true],
    ['of an empty array that is not last', types(0, false), false],
  ])('%s', (_what, target, fits) => {
    const { verdict, text } = matchCase(types(8), target, '0:1:5');
    expect(verdict.outcome).toBe(fits ? 'match' : 'miss');
    if (fits) expect(text).toBe('struct s.a[5] (0:1:5 @ offset 24)');
    else expect(verdict).toMatchObject({ miss: { why: 'outside', index: 5 } });
  });

  it('needs an array', () => {
    const target = [int('int', 4), struct('s', 4, [member('a', 1)])];
    // An int is compared as a member before its elements are; an array is not.
    expect(matchCase(types(8), target, '0:1:5').verdict).toMatchObject({
      miss: { why: 'incompatible' },
    });
  });

  it('of the pointer itself only needs a size', () => {
    const target = [int('int', 4), struct('s', 16, [member('a', 1)])];
    expect(
      matchCase([int('int', 4), struct('s', 8, [member('a', 1)])], target, '3:0'),
    ).toMatchObject({
      verdict: MATCH,
      text: 'struct s[3].a (3:0 @ offset 48)',
    });
  });

  it('of two gigabytes stops libbpf, which counts with a sign', () => {
    const local = [struct('s', 4, [])];
    const size = (bytes: number) => matchCase(local, [struct('s', bytes, [])], '0').verdict;
    expect(size(0x7fffffff)).toEqual(MATCH);
    expect(size(0x80000000)).toEqual({ outcome: 'fault', fault: 'no-size', errno: -0x80000000 });
  });

  it('is counted modulo 2^32 bits', () => {
    const target = [int('int', 4), struct('s', 0x20000001, [member('a', 1, 8)])];
    const { spec } = matchCase([int('int', 4), struct('s', 4, [member('a', 1)])], target, '3:0');
    expect(spec.bitOffset).toBe(3 * 8 + 8);
  });
});

describe('an enumerator', () => {
  const local = [
    enumeration('e', [
      ['A', 1],
      ['B___x', 2],
    ]),
  ];
  it.each([
    [
      'elsewhere',
      [
        enumeration('e', [
          ['X', 9],
          ['B', 7],
        ]),
      ],
      'enum e::B = 7',
    ],
    [
      'with another flavour',
      [enum64('e', [['B___y', -1n]], { signed: true })],
      'enum64 e::B___y = -1',
    ],
    ['behind a typedef', [enumeration('e', [['B', 7]]), typedef('e', 1)], 'typedef e::B = 7'],
  ])('%s', (_what, target, text) => {
    expect(matchCase(local, target, '1', 11)).toMatchObject({ verdict: MATCH, text });
  });

  it('that is not there leaves the first one in the log', () => {
    const { verdict, text } = matchCase(local, [enumeration('e', [['X', -9]])], '1', 10);
    expect(verdict).toEqual({
      outcome: 'miss',
      miss: { why: 'no-enumerator', type: 1, name: 'B___x' },
    });
    expect(text).toBe('enum e::X = 4294967287');
  });

  it('is not searched in other kinds than enums', () => {
    const { verdict } = matchCase(local, [int('int', 4), typedef('e', 1)], '1', 10);
    expect(verdict).toEqual({ outcome: 'miss', miss: { why: 'not-enum', type: 1 } });
  });
});

describe('any types', () => {
  it('end in a verdict, whatever refers to what', () => {
    const id = fc.nat(9);
    const name = fc.constantFrom('', 'a', 'b', 'a___x');
    const members = fc
      .array(fc.tuple(name, id), { maxLength: 4 })
      .map((list) => list.map(([text, type], i) => member(text, type, i * 8)));
    const record: fc.Arbitrary<TypeRecord> = fc.oneof(
      fc.tuple(name, members).map(([text, list]) => struct(text, 8, list)),
      fc.tuple(name, members).map(([text, list]) => union(text, 8, list)),
      fc.tuple(id, fc.nat(3)).map(([type, nelems]) => array(type, type, nelems)),
      id.map(ptr),
      fc.tuple(name, id).map(([text, type]) => typedef(text, type)),
      fc.tuple(id, fc.array(id, { maxLength: 3 })).map(([type, list]) =>
        funcProto(
          type,
          list.map((param) => ['', param] as const),
        ),
      ),
      fc.constant(int('int', 4)),
      fc.constant(float('f', 4)),
      name.map((text) => enumeration(text, [['A', 1]])),
    );
    const types = fc.array(record, { minLength: 1, maxLength: 9 });
    const accessStr = fc
      .array(fc.nat(3), { minLength: 1, maxLength: 6 })
      .map((list) => list.join(':'));
    fc.assert(
      fc.property(types, types, accessStr, fc.nat(12), (local, target, text, kind) => {
        const localTypes = typesOfBlob(local);
        const path = walkAccess(localTypes, typeId(local.length), text, kind);
        fc.pre(path.error === null);
        const steps: TraceStep[] = [];
        const log = (step: TraceStep) => steps.push(step);
        const targets = typesOfBlob(target);
        const root = typeId(target.length);
        const spec = localSpec(localTypes, path);
        const traced = matchSpec(spec, targets, root, { log, detail: log, work: new Work(1) });
        const silent = matchSpec(spec, targets, root, { log, detail: null, work: new Work(1) });
        expect(silent).toEqual(traced);
        if (traced.verdict.outcome === 'match') {
          expect(traced.spec.accessors).toHaveLength(spec.accessors.length);
        }
      }),
      { numRuns: runs(1000) },
    );
  });
});
