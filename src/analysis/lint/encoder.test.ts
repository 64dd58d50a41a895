import { describe, expect, it } from 'vitest';
import { btfBlob } from '#testing/btf-blob.ts';
import {
  datasec,
  declTag,
  enum64,
  enumeration,
  float,
  func,
  funcProto,
  int,
  struct,
  type TypeRecord,
  typeTag,
  variable,
} from '#testing/btf-types.ts';
import { tableOf } from '#testing/type-table.ts';
import { btfContents } from './btf-contents.ts';
import { type Encoder, encoderOf } from './encoder.ts';

const STATIC = 0;
const [INT, PROTO] = [int('int', 4), funcProto(0, [])];

function encoder(types: readonly TypeRecord[], mixedFuncs = 0): Encoder {
  const work = btfContents(tableOf(btfBlob({ types }).bytes), false);
  let step = work.next();
  while (!step.done) step = work.next();
  return encoderOf(step.value, mixedFuncs);
}

/** Returns 20 FUNCs, in the order of their names or not. */
const functions = (isSorted: boolean) =>
  Array.from({ length: 20 }, (_, i) =>
    func(`f${String.fromCharCode(97 + (isSorted ? i : (i * 7) % 20))}`, 2, STATIC),
  );

describe('encoderOf', () => {
  it.each<[string, readonly TypeRecord[], string]>([
    ['nothing', [INT], 'Nothing tells which tool wrote this BTF'],
    ['static functions', [INT, PROTO, ...functions(false)], 'Probably pahole 1.16 or later'],
    [
      'per-CPU variables',
      [INT, variable('v', 1, STATIC), datasec('.data..percpu', 4, [[2, 0, 4]])],
      'Probably pahole 1.18 or later',
    ],
    [
      'a float',
      [INT, PROTO, func('f', 2, STATIC), float('double', 8)],
      'Probably pahole 1.21 or later',
    ],
    ['a type tag', [INT, typeTag('user', 1)], 'Probably pahole 1.23 or later'],
    ['an ENUM64', [INT, enum64('e', [['A', 1n]])], 'Probably pahole 1.24 or later'],
    [
      'a kfunc',
      [INT, PROTO, func('f', 2, STATIC), declTag('bpf_kfunc', 3)],
      'Probably pahole 1.27 or later',
    ],
    [
      'a fastcall kfunc',
      [INT, PROTO, func('f', 2, STATIC), declTag('bpf_fastcall', 3)],
      'Probably pahole 1.28 or later',
    ],
    ['sorted functions', [INT, PROTO, ...functions(true)], 'Probably pahole 1.29 or later'],
    [
      'a flag of a tag',
      [INT, { ...typeTag('arena', 1), kindFlag: true }],
      'Probably pahole 1.30 or later',
    ],
    [
      'sorted types',
      [
        PROTO,
        ...Array.from({ length: 20 }, (_, i) => func(`f${String.fromCharCode(97 + i)}`, 1, STATIC)),
      ],
      'Probably pahole 1.29 or later, then resolve_btfids of Linux 7.0 or later',
    ],
    ['global functions', [INT, PROTO, func('f', 2)], 'Probably clang -g --target=bpf'],
    ['a char of GCC', [int('char', 1, { encoding: 3 })], 'Probably GCC for BPF'],
    [
      'structs without members',
      [INT, struct('a', 8, []), struct('b', 8, [])],
      'Probably a distilled base, the section .BTF.base of a module',
    ],
  ])('guesses by %s', (_what, types, statement) => {
    expect(encoder(types).statement).toBe(statement);
  });

  it('gives every sign, the newest first', () => {
    const types = [INT, PROTO, func('f', 2, STATIC), declTag('bpf_kfunc', 3), float('double', 8)];
    expect(encoder([...types, enumeration('e', [['A', -1]])]).signs).toEqual([
      { found: '1 DECL_TAG bpf_kfunc', tells: 'pahole 1.27 or later, decl_tag_kfuncs' },
      { found: '1 FLOAT', tells: 'pahole 1.21 or later, float' },
      { found: '1 FUNC, all static', tells: 'pahole 1.16 or later' },
    ]);
  });

  it('says what a rebuild would add', () => {
    const { signs, advice } = encoder([INT, PROTO, func('f', 2, STATIC)], 3);
    expect(signs.at(-1)).toEqual({
      found: '3 names with several FUNCs',
      tells: 'pahole before 1.25, or without consistent_func',
    });
    expect(advice).toContain('consistent_func');
  });
});
