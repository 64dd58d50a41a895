/** Tests comparisons of whole types for type_exists and type_matches. */
import { describe, expect, it } from 'vitest';
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
import { matchCase } from '#testing/core-cases.ts';

const member = (name: string, type: number, bitOffset = 0): Member => ({ name, type, bitOffset });
const MATCH = { outcome: 'match' };

const EXISTS = 8;
const MATCHES = 12;

describe('whole types', () => {
  const I = int('int', 4, { encoding: 1 });
  const U = int('int', 4);
  const S = struct('s', 8, [member('a', 1)]);
  const bigger = struct('s', 8, [member('b', 1), member('a', 1)]);
  const proto = (params: readonly number[]) =>
    funcProto(
      1,
      params.map((type) => ['', type] as const),
    );
  it.each([
    ['structs of one name', [I, S], [I, bigger], true, true],
    ['structs that have lost a member', [I, bigger], [I, S], true, false],
    ['a member of another type', [I, S], [U, S], true, false],
    ['a member with a flavour', [I, S], [I, struct('s', 4, [member('a___x', 1)])], true, true],
    ['a member that is a pointer now', [I, S], [ptr(0), S], true, false],
    ['pointers to structs that differ', [I, bigger, ptr(2)], [I, S, ptr(2)], true, true],
    [
      'a pointer to a struct that is declared only',
      [I, S, ptr(2)],
      [fwd('s'), ptr(1)],
      false,
      true,
    ],
    ['a pointer to a declared union', [I, S, ptr(2)], [fwd('s', 'union'), ptr(1)], false, false],
    [
      'a declared union and the union',
      [fwd('s', 'union'), ptr(1)],
      [union('s', 4, []), ptr(1)],
      false,
      true,
    ],
    ['two declared structs', [fwd('s')], [fwd('s')], true, true],
    ['a struct and a union declared', [fwd('s')], [fwd('s', 'union')], true, false],
    ['arrays of other length', [I, array(1, 1, 2)], [I, array(1, 1, 3)], true, false],
    ['integers of other size', [int('long', 8)], [int('long', 4)], true, false],
    [
      'enums by name',
      [enumeration('e', [['A', 1]])],
      [
        enumeration('e', [
          ['B', 1],
          ['A', 2],
        ]),
      ],
      true,
      true,
    ],
    [
      'an enum that has lost one',
      [enumeration('e', [['A', 1]])],
      [
        enumeration('e', [
          ['B', 1],
          ['C', 2],
        ]),
      ],
      true,
      false,
    ],
    ['enums of other size', [enumeration('e', [])], [enum64('e', [])], true, false],
    [
      'enum and enum64 of one size',
      [enumeration('e', [], { size: 8 })],
      [enum64('e', [])],
      true,
      true,
    ],
    ['functions', [I, proto([1, 1])], [I, proto([1, 1])], true, true],
    ['a parameter more', [I, proto([1])], [I, proto([1, 1])], false, false],
    ['a parameter of another kind', [I, proto([1, 1])], [I, ptr(1), proto([1, 2])], false, false],
    ['floats, for which there is no rule', [float('f', 4)], [float('f', 4)], false, false],
    [
      'types behind typedefs',
      [I, typedef('t', 1)],
      [I, modifier('const', 1), typedef('t', 2)],
      true,
      true,
    ],
    ['integers of the old sort', [int('int', 4, { bitOffset: 2, bits: 4 })], [U], false, true],
  ])('%s', (_what, local, target, exists, matches) => {
    const found = [EXISTS, MATCHES].map(
      (kind) => matchCase(local, target, '0', kind).verdict.outcome,
    );
    expect(found).toEqual([exists, matches].map((yes) => (yes ? 'match' : 'miss')));
  });

  it('logs that floats have no rule, as often as libbpf', () => {
    const types = [float('f', 4), struct('s', 8, [member('a', 1), member('b', 1)])];
    const { steps } = matchCase(types, types, '0', MATCHES);
    expect(steps.filter((s) => s.step === 'unexpected-kind')).toEqual([
      { step: 'unexpected-kind', kind: 'float', local: 1, target: 1 },
    ]);
    const both = [
      float('f', 4),
      struct('i', 4, [member('x', 1)]),
      struct('s', 8, [member('', 2), member('b', 1)]),
      struct('s', 8, [member('a', 2), member('a', 2, 1)]),
    ];
    const again = matchCase(both, both, '0', MATCHES).steps;
    expect(again.filter((s) => s.step === 'unexpected-kind')).toHaveLength(2);
  });

  it('names the member and the type that differ', () => {
    const of = (leaf: TypeRecord) => [
      leaf,
      struct('i', 8, [member('x', 1)]),
      array(2, 2, 2),
      struct('s', 16, [member('m', 3)]),
    ];
    expect(matchCase(of(I), of(U), '0', MATCHES).verdict).toEqual({
      outcome: 'miss',
      miss: {
        why: 'types',
        mismatch: { local: 1, target: 1, rule: 'int-sign', name: '', path: ['m', 'x'] },
      },
    });
  });

  it.each([
    [EXISTS, 31, 'match'],
    [EXISTS, 32, 'fault'],
    [MATCHES, 31, 'match'],
    [MATCHES, 32, 'fault'],
  ])('kind %i follows %i pointers: %s', (kind, pointers, outcome) => {
    const types = [I, ...Array.from({ length: pointers }, (_, i) => ptr(i + 1))];
    expect(matchCase(types, types, '0', kind).verdict.outcome).toBe(outcome);
  });

  it.each([
    [31, 'match'],
    [32, 'fault'],
  ])('goes down into %i structs: %s', (depth, outcome) => {
    const types: TypeRecord[] = [I];
    for (let i = 1; i <= depth; i++) types.push(struct('s', 4, [member('m', i)]));
    expect(matchCase(types, types, '0', MATCHES).verdict.outcome).toBe(outcome);
  });

  it.each([EXISTS, MATCHES])('kind %i compares shared types once', (kind) => {
    const types: TypeRecord[] = [I];
    for (let i = 1; i <= 28; i++) {
      types.push(
        kind === EXISTS
          ? proto([i, i, i])
          : struct('s', 4, [member('a', i), member('b', i), member('c', i)]),
      );
    }
    const { verdict, steps } = matchCase(types, types, '0', kind);
    expect(verdict).toEqual(MATCH);
    expect(steps.length).toBeLessThan(500);
  });

  it('gives up where libbpf would go on and on', () => {
    const many = Array.from({ length: 6000 }, () => member('', 1));
    const types = [float('f', 4), struct('s', 4, many)];
    expect(matchCase(types, types, '0', MATCHES).verdict).toMatchObject({ fault: 'too-much-work' });
  });
});
