import { describe, expect, it } from 'vitest';
import { followNames } from '#analysis/log/follow-names.ts';
import { typeId } from '#model/ids.ts';
import { array, enumeration, int, struct } from '#testing/btf-types.ts';
import { typesOfBlob } from '#testing/core-cases.ts';
import { faultSentence, followedSteps, placeText } from './LineDetail.tsx';

/** Ids: [1] int, [2] int[4], [3] inner, [4] s, [5] e. */
const types = typesOfBlob([
  int('int', 4),
  array(1, 1, 4),
  struct('inner', 8, [{ name: 'flag', type: 1, bitOffset: 35, bitfieldSize: 2 }]),
  struct('s', 40, [
    { name: 'm', type: 2, bitOffset: 32 },
    { name: 'in', type: 3, bitOffset: 192 },
  ]),
  enumeration('e', [['ONE', 7]]),
]);

function follow(...words: readonly (string | number)[]) {
  const path = words.map((word) =>
    typeof word === 'string' ? { name: word, index: null } : { name: null, index: word },
  );
  const followed = followNames(types, typeId(4), { path, enumerator: null });
  return { steps: followedSteps({ path, enumeratorName: null }, followed), followed };
}

describe('a path', () => {
  it('that is complete has its end', () => {
    const { steps, followed } = follow('m', 2);
    expect(steps.map(({ text, state }) => `${text} ${state}`)).toEqual(['.m found', '[2] found']);
    expect(placeText(types, followed)).toBe('byte 12');
    expect(placeText(types, follow('in', 'flag').followed)).toBe('byte 28, bit 3');
    expect(faultSentence(types, followed)).toBeNull();
  });

  it('that fails marks the failing step, and the steps not reached', () => {
    const { steps, followed } = follow('inn', 'flag');
    expect(steps.map((step) => step.state)).toEqual(['fault', 'unreached']);
    expect(faultSentence(types, followed)).toBe('struct s has no member inn.');
    expect(placeText(types, followed)).toBeNull();
  });

  it.each([
    [['m', 9], 'The index is outside int [4].'],
    [['m', 'x'], 'int [4] has no members, so x cannot be one.'],
    [['in', 3], 'struct inner is not an array.'],
  ])('of %j gives the reason', (words, sentence) => {
    expect(faultSentence(types, follow(...words).followed)).toBe(sentence);
  });

  it('of an enumerator ends at its value', () => {
    const named = (name: string) =>
      followNames(types, typeId(5), { path: [], enumerator: { name, value: 0n } });
    expect(placeText(types, named('ONE'))).toBe('value 7');
    expect(faultSentence(types, named('TWO'))).toBe('enum e has no enumerator TWO.');
    expect(followedSteps({ path: [], enumeratorName: 'ONE' }, named('ONE'))).toEqual([
      { at: 0, text: '::ONE', state: 'found' },
    ]);
  });
});
