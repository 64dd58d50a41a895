import { describe, expect, it } from 'vitest';
import { typeId } from '#model/ids.ts';
import { sizeOrTypeOf } from '#model/type-table.ts';
import {
  array,
  enumeration,
  float,
  func,
  funcProto,
  int,
  ptr,
  struct,
  type TypeRecord,
  typedef,
  union,
} from '#testing/btf-types.ts';
import { kernelOf } from '#testing/kernels.ts';
import { funcModel, modelFault } from './func-model.ts';

/** Types that prototypes below refer to by id. */
const TYPES: readonly TypeRecord[] = [
  int('int', 4), // 1
  ptr(1), // 2
  struct('small', 16, []), // 3
  struct('large', 17, []), // 4
  union('both', 8, []), // 5
  struct('empty', 0, []), // 6
  typedef('small_t', 3), // 7
  float('double', 8), // 8
  array(1, 1, 2), // 9
  enumeration('color', [['RED', 0]]), // 10
];

type Proto = { readonly returns?: number; readonly params?: readonly number[] };

/** Returns the fault of a function `f` on a kernel of a version, or without a known version. */
function faultOf({ returns = 0, params = [] }: Proto, release: string | null) {
  const named = params.map((type, at) => [type === 0 ? '' : `p${at}`, type] as const);
  const kernel = kernelOf([...TYPES, funcProto(returns, named), func('f', 11)], { release });
  const { vmlinux: t } = kernel;
  if (t === null) throw new Error('no types');
  return modelFault('f', funcModel(t, typeId(sizeOrTypeOf(t, typeId(12)))), kernel);
}

const lineOf = (proto: Proto, release: string | null) => faultOf(proto, release)?.line ?? 'passes';

describe('the prototype of a traced function', () => {
  it.each<[string, Proto, string]>([
    ['integers, pointers and enums', { returns: 1, params: [1, 2, 10] }, 'passes'],
    ['a result of void', { params: [] }, 'passes'],
    ['12 arguments', { params: Array.from({ length: 12 }, () => 1) }, 'passes'],
    [
      '13 arguments',
      { params: Array.from({ length: 13 }, () => 1) },
      'The function f has 13 arguments. Too many.',
    ],
    ['a struct as result', { returns: 7 }, 'The function f return type STRUCT is unsupported.'],
    ['a float as result', { returns: 8 }, 'The function f return type FLOAT is unsupported.'],
    ['variable arguments', { params: [1, 0] }, 'The function f with variable args is unsupported.'],
    ['an argument of void', { params: [0, 1] }, 'The function f has malformed void argument.'],
    ['a struct of 16 bytes', { params: [1, 7] }, 'passes'],
    ['a struct of 17 bytes', { params: [1, 4] }, 'The function f arg1 type STRUCT is unsupported.'],
    ['a union', { params: [5] }, 'passes'],
    ['an empty struct', { params: [6] }, 'The function f has malformed void argument.'],
    ['an array', { params: [9] }, 'The function f arg0 type ARRAY is unsupported.'],
    [
      'a large struct before the dots',
      { params: [4, 0] },
      'The function f arg0 type STRUCT is unsupported.',
    ],
  ])('%s on Linux 6.18', (_name, proto, line) => {
    expect(lineOf(proto, '6.18.2')).toBe(line);
  });

  it('may have 12 arguments since 5.18', () => {
    const proto = { params: Array.from({ length: 12 }, () => 1) };
    expect(lineOf(proto, '5.15.85')).toBe('The function f has 12 arguments. Too many.');
    expect(lineOf(proto, '5.18.0')).toBe('passes');
    expect(faultOf(proto, null)).toMatchObject({ rule: 'many', isSure: false });
  });

  it('may have a struct by value since 6.1, a union since 6.18', () => {
    const unsupported = (kind: string) => `The function f arg0 type ${kind} is unsupported.`;
    expect(lineOf({ params: [3] }, '6.0.1')).toBe(unsupported('STRUCT'));
    expect(lineOf({ params: [3] }, '6.1.0')).toBe('passes');
    expect(lineOf({ params: [5] }, '6.17.8')).toBe(unsupported('UNION'));
    expect(faultOf({ params: [3] }, null)).toEqual({
      rule: 'arg',
      line: unsupported('STRUCT'),
      isSure: false,
      dependsOn: 'release',
    });
  });

  it('is refused for sure by a later rule, without a line, if the version decides the first', () => {
    expect(faultOf({ params: [3, 0] }, null)).toEqual({
      rule: 'variadic',
      line: null,
      isSure: true,
    });
  });
});
