import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { typeId } from '#model/ids.ts';
import { array, enumeration, int, struct, union } from '#testing/btf-types.ts';
import { typesOfBlob } from '#testing/core-cases.ts';
import { accessOfNames, isWrittenInC } from './playground-names.ts';

/** [1] int, [2] int[4], [3] anonymous union, [4] s, [5] e. */
const types = typesOfBlob([
  int('int', 4),
  array(1, 1, 4),
  union('', 4, [
    { name: 'alpha', type: 1, bitOffset: 0 },
    { name: 'bravo', type: 1, bitOffset: 0 },
  ]),
  struct('s', 24, [
    { name: 'x', type: 1, bitOffset: 0 },
    { name: '', type: 3, bitOffset: 32 },
    { name: 'm', type: 2, bitOffset: 64 },
  ]),
  enumeration('e', [
    ['ONE', 1],
    ['TWO', 2],
  ]),
]);
const named = (text: string, root = 4) => accessOfNames(types, typeId(root), text);

describe('names as an access string', () => {
  it.each([
    ['x', '0:0'],
    ['bravo', '0:1:1'],
    ['m[3]', '0:2:3'],
    ['p->m[ 3 ]', '0:2:3'],
    [' s -> bravo ', '0:1:1'],
    ['.x', '0:0'],
    ['[2].alpha', '2:1:0'],
    ['p[2].m[1]', '2:2:1'],
  ])('%j is %s', (text, accessStr) => {
    expect(named(text)).toEqual({ accessStr });
  });

  it('takes the enumerators of an enum', () => {
    expect(named('TWO', 5)).toEqual({ accessStr: '1' });
    expect(named('TOW', 5)).toMatchObject({ fault: 'no-enumerator', near: ['TWO'] });
  });

  it.each([
    ['alpah', { start: 0, length: 5, fault: 'no-member', near: ['alpha'] }],
    ['p->x.y', { start: 5, length: 1, fault: 'not-composite', near: [] }],
    ['m[9]', { start: 2, length: 1, fault: 'outside', near: [] }],
    ['x y', { start: 2, length: 1, fault: 'syntax', near: [] }],
    ['x.', { start: 1, length: 1, fault: 'syntax', near: [] }],
    ['m[1', { start: 1, length: 2, fault: 'syntax', near: [] }],
  ])('of %j it reports the wrong part', (text, fault) => {
    expect(named(text)).toEqual(fault);
  });

  it('ends on any text, and points into it', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...'xm[]1.->p é\u202e') }), (text) => {
        const result = named(text);
        if ('accessStr' in result) expect(result.accessStr).toMatch(/^\d+(:\d+)*$/);
        else expect(result.start).toBeLessThanOrEqual(text.length);
      }),
    );
  });
});

it('distinguishes names and numbers', () => {
  expect(['0:1', '', '17', 'a', '[1].a', '0:a'].map(isWrittenInC)).toEqual([
    false,
    false,
    false,
    true,
    true,
    true,
  ]);
});
