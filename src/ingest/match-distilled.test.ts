import { describe, expect, it } from 'vitest';
import { attempt } from '#bytes/issue.ts';
import { BtfKind } from '#formats/btf/kinds.ts';
import type { TypeTable } from '#model/type-table.ts';
import { btfBlob } from '#testing/btf-blob.ts';
import {
  array,
  enum64,
  enumeration,
  float,
  fwd,
  int,
  ptr,
  record,
  struct,
  type TypeRecord,
  typedef,
  union,
} from '#testing/btf-types.ts';
import { SOON } from '#testing/runs.ts';
import { ingestBtf } from './btf.ts';
import { matchDistilled } from './match-distilled.ts';

function read(types: readonly TypeRecord[], base: TypeTable | null = null): TypeTable {
  const baseStringLength = base === null ? 0 : base.strEnd - base.strStart;
  const { bytes } = btfBlob({ types, baseStringLength });
  const found = attempt([], () => ingestBtf({ bytes, fileOffset: 0, region: '.BTF' }, base, []));
  if (found === null) throw new Error('the blob is wrong');
  return found.types;
}

/** Matches `distilled` with `base`, for a module with types `own`. Returns a line for each type. */
function match(
  distilled: readonly TypeRecord[],
  base: readonly TypeRecord[],
  own: readonly TypeRecord[] = [typedef('own', 1)],
): readonly string[] {
  const split = read(own, read(distilled));
  return matchDistilled(split, read(base)).map(({ outcome, baseIds, reason }) =>
    [outcome, baseIds.join('+'), reason].filter((part) => part !== '').join(' '),
  );
}

const shell = (name: string, size: number) => struct(name, size, []);
const member = (type: number) => [{ name: 'm', type, bitOffset: 0 }];

describe('scalars', () => {
  it('match by name, size and, for INT, encoding', () => {
    const distilled = [int('int', 4, { encoding: 1 }), float('double', 8)];
    expect(match(distilled, [ptr(2), int('int', 4, { encoding: 1 }), float('double', 8)])).toEqual([
      'mapped 2',
      'mapped 3',
    ]);
    expect(match(distilled, [int('int', 4), float('double', 4)])).toEqual([
      'missing [1] of that name has another encoding, not INT',
      'missing [2] of that name has 4 bytes, not FLOAT',
    ]);
  });

  it('match an ENUM64 if they are an ENUM', () => {
    const distilled = [record(BtfKind.ENUM, { name: 'e', sizeOrType: 8 })];
    expect(match(distilled, [enum64('e', [['a', 1n]])])).toEqual(['mapped 1']);
    expect(match(distilled, [enumeration('e', [['a', 1]])])).toEqual([
      'missing [1] of that name has 4 bytes, not ENUM',
    ]);
  });
});

describe('STRUCT and UNION', () => {
  it('match by name alone if the name is unique', () => {
    expect(match([shell('s', 8)], [struct('s', 24, [])])).toEqual(['mapped 1']);
  });

  it('match by size too if the base has several of the name', () => {
    const base = [struct('s', 24, []), struct('s', 8, [])];
    expect(match([shell('s', 8)], base)).toEqual(['mapped 2']);
    expect(match([shell('s', 16)], base)).toEqual([
      'missing [1] of that name has 24 bytes, not STRUCT',
    ]);
  });

  it('are ambiguous if two have the name and the size', () => {
    expect(match([shell('s', 8)], [struct('s', 8, []), struct('s', 8, [])])).toEqual([
      'ambiguous 1+2 [1] and [2] both match by name and size',
    ]);
  });

  it.each([
    ['as a member', [struct('own', 8, member(1))], 'missing'],
    [
      'through typedef and array',
      [typedef('t', 1), array(2, 2, 4), struct('o', 8, member(3))],
      'missing',
    ],
    ['but not behind a pointer', [ptr(1), struct('own', 8, member(2))], 'mapped'],
  ])('must have the same size when they are held by value: %s', (_, own, outcome) => {
    const [line] = match([shell('s', 8)], [struct('s', 24, [])], own);
    expect(line?.split(' ')[0]).toBe(outcome);
  });

  it('match regardless of the kind, as libbpf does', () => {
    expect(match([shell('s', 8)], [union('s', 8, [])])).toEqual(['mapped 1']);
  });
});

describe('FWD', () => {
  it.each([
    ['a FWD of the same sort', fwd('f'), fwd('f'), 'mapped'],
    ['no FWD of the other sort', fwd('f'), fwd('f', 'union'), 'missing'],
    ['a STRUCT without kind_flag', fwd('f'), struct('f', 8, []), 'mapped'],
    [
      'no STRUCT with kind_flag',
      fwd('f'),
      struct('f', 8, [{ name: 'm', type: 0, bitOffset: 0, bitfieldSize: 3 }]),
      'missing',
    ],
    ['no UNION without kind_flag', fwd('f', 'union'), union('f', 8, []), 'missing'],
    ['no TYPEDEF', fwd('f'), typedef('f', 0), 'missing'],
  ])('is found as %s', (_, distilled, base, outcome) => {
    expect(match([distilled], [base])[0]?.split(' ')[0]).toBe(outcome);
  });
});

describe('invalid types of a distilled base', () => {
  it('are other kinds, and types without a name', () => {
    expect(match([typedef('t', 0), shell('', 8)], [typedef('t', 0)])).toEqual([
      'invalid a distilled base has no TYPEDEF',
      'invalid a type of a distilled base must have a name',
    ]);
  });
});

describe('hostile input', () => {
  it('takes linear time for a cycle and for a repeated name', SOON, () => {
    const circle = [typedef('a', 4), typedef('b', 3), struct('own', 8, member(3))];
    expect(match([shell('s', 8), shell('t', 8)], [shell('s', 8)], circle)[0]).toBe('mapped 1');
    const many = (size: number) => Array.from({ length: 5000 }, (_, i) => shell('s', size + i));
    match(many(10_000), many(1));
  });
});
