import { expect, it } from 'vitest';
import { accessPathOf } from '#analysis/core/playground.ts';
import { typeId } from '#model/ids.ts';
import { array, int, struct } from '#testing/btf-types.ts';
import { typesOfBlob } from '#testing/core-cases.ts';
import { faultOf, namedFault } from './AccessCard.tsx';

const types = typesOfBlob([
  int('int', 4),
  array(1, 1, 4),
  struct('s', 24, [
    { name: 'alpha', type: 1, bitOffset: 0 },
    { name: 'm', type: 2, bitOffset: 64 },
  ]),
]);
const S = typeId(3);

it.each([
  ['0:0', null],
  ['1:1:9', { start: 4, length: 1, sentence: 'There is no element 9: int [4] has 4 elements.' }],
  ['0:17', { start: 2, length: 2, sentence: 'There is no member 17: struct s has 2 members.' }],
  ['0:0:5', { start: 4, length: 1, sentence: expect.stringContaining('Index 5 does not apply') }],
  ['0:', { start: 2, length: 1, sentence: expect.stringContaining('A number is missing') }],
])('points at the index of %s that is wrong', (accessStr, fault) => {
  expect(faultOf(accessPathOf(types, { root: S, accessStr }))).toEqual(fault);
});

it('marks the wrong name, and suggests similar ones', () => {
  expect(namedFault(types, S, 'm[3]')).toEqual({ accessStr: '0:1:3' });
  expect(namedFault(types, S, 'p->alhpa')).toEqual({
    start: 3,
    length: 5,
    sentence: 'No member alhpa here. Did you mean: alpha.',
  });
  expect(namedFault(types, S, 'alpha[0]')).toMatchObject({
    sentence: 'The type before [0] is not an array.',
  });
  expect(namedFault(types, S, 'alpha beta')).toMatchObject({ start: 6, length: 4 });
});
