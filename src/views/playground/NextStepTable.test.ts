import { describe, expect, it } from 'vitest';
import { typeId } from '#model/ids.ts';
import { array, enumeration, int, ptr, struct } from '#testing/btf-types.ts';
import { typesOfBlob } from '#testing/core-cases.ts';
import { nextStepsOf } from './NextStepTable.tsx';

/** Ids: [1] int, [2] int[4], [3] inner, [4] inner *, [5] s, [6] e, [7] int[0], [8] flexible. */
const types = typesOfBlob([
  int('int', 4),
  array(1, 1, 4),
  struct('inner', 8, [
    { name: 'flag', type: 1, bitOffset: 35, bitfieldSize: 2 },
    { name: 'deep', type: 2, bitOffset: 0 },
  ]),
  ptr(3),
  struct('s', 48, [
    { name: 'm', type: 2, bitOffset: 32 },
    { name: 'in', type: 3, bitOffset: 192 },
    { name: 'p', type: 4, bitOffset: 256 },
  ]),
  enumeration('e', [
    ['ONE', 7],
    ['TWO', 8],
  ]),
  array(1, 1, 0),
  struct('flexible', 4, [{ name: 'tail', type: 7, bitOffset: 32 }]),
]);
const at = (accessStr: string, root = 5) => nextStepsOf(types, { root: typeId(root), accessStr });

describe('what there is to choose from', () => {
  it.each([
    ['a struct', '0', { what: 'members', prefix: '0', count: 3, taken: null }],
    ['the second of them', '1', { what: 'members', prefix: '1', count: 3, taken: null }],
    ['a member that is a struct', '0:1', { what: 'members', prefix: '0:1', count: 2, taken: null }],
    ['an array', '0:0', { what: 'elements', prefix: '0:0', count: 4, taken: null }],
    ['a number, among its neighbours', '0:0:3', { what: 'elements', prefix: '0:0', taken: 3 }],
    ['a pointer, likewise', '0:2', { what: 'members', prefix: '0', taken: 2 }],
    ['a fault, what was right', '0:1:9:4', { what: 'members', prefix: '0:1', taken: null }],
    ['one too many', '0:0:3:1', { what: 'elements', prefix: '0:0', taken: 3 }],
  ])('at %s', (_, accessStr, expected) => {
    expect(at(accessStr)).toMatchObject(expected);
  });

  it('is empty if the root has no members, or there is no root', () => {
    expect([at('0', 1), at('0', 99), at('', 5), at('x', 5)]).toEqual([null, null, null, null]);
  });

  it('are the enumerators of an enum', () => {
    expect(at('1', 6)).toMatchObject({ what: 'enumerators', count: 2, taken: 1 });
    expect(at('9', 6)).toMatchObject({ what: 'enumerators', count: 2, taken: null });
    expect(at('1', 6)?.row(1)).toMatchObject({ name: 'TWO', size: '8' });
    expect(at('1', 6)?.row(2)).toBeNull();
  });

  it('are some elements of a flexible array, and the one that was asked for', () => {
    expect(at('0:0', 8)).toMatchObject({ what: 'elements', count: 64 });
    expect(at('0:0:200', 8)).toMatchObject({ what: 'elements', count: 201, taken: 200 });
  });
});

describe('a row', () => {
  it('counts its offset from the first element of the pointer', () => {
    expect(at('0:1')?.row(0)).toMatchObject({
      name: 'flag',
      offset: '0x1c',
      place: 'byte 28, bit 3',
      size: '2 bits',
    });
    expect(at('1:0')?.row(2)).toMatchObject({ name: '[2]', offset: '0x3c', size: '4' });
    expect(at('0')?.row(3)).toBeNull();
  });
});
