import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { typeId } from '#model/ids.ts';
import { alignLines } from './align-lines.ts';
import type { TypeLine } from './type-lines.ts';

/** Returns one member of 4 bytes per letter; the member for `-` has no name. */
function lines(letters: string): TypeLine[] {
  return Array.from(letters, (letter, index) => ({
    role: 'member',
    nameOff: 0,
    nameId: letter === '-' ? 0 : letter.charCodeAt(0),
    scope: 0,
    type: typeId(1),
    bitOffset: 32 * index,
    bitfieldSize: 0,
    size: null,
    value: null,
    index,
    depth: 0,
    parent: -1,
    opens: null,
    isCopy: false,
  }));
}

/** Names without common words. */
const NAMES = { a: () => '', b: () => '' };

/** Returns pairs as text: `a` in both, `-a` removed, `+a` added, `a>b` renamed, `^a` reordered. */
function told(before: string, after: string, isSame = true): string {
  return alignLines(lines(before), lines(after), () => isSame, NAMES)
    .map(({ a, b, isReordered }) => {
      const [x, y] = [before[a], after[b]];
      if (x === undefined) return `+${y}`;
      if (y === undefined) return `-${x}`;
      return `${isReordered ? '^' : ''}${x === y ? x : `${x}>${y}`}`;
    })
    .join(' ');
}

describe('alignLines', () => {
  it.each([
    ['abc', 'abc', 'a b c'],
    ['abc', 'axbc', 'a +x b c'],
    ['abcd', 'abd', 'a b -c d'],
    ['abc', 'axc', 'a b>x c'],
    ['abcd', 'bcda', 'b c d ^a'],
    ['ab', '', '-a -b'],
    ['', 'ab', '+a +b'],
    ['a-b', 'a-b', 'a - b'],
  ])('%s and %s', (before, after, expected) => {
    expect(told(before, after)).toBe(expected);
  });

  it('does not take a line with another type as renamed', () => {
    expect(told('abc', 'axc', false)).toBe('a -b +x c');
  });

  it('shows each line of both once, those of the second in their order', () => {
    const letters = fc.stringMatching(/^[a-h-]{0,12}$/);
    fc.assert(
      fc.property(letters, letters, (before, after) => {
        const pairs = alignLines(lines(before), lines(after), () => true, NAMES);
        const ofA = pairs.flatMap(({ a }) => (a < 0 ? [] : [a]));
        const ofB = pairs.flatMap(({ b }) => (b < 0 ? [] : [b]));
        expect(ofA.toSorted((x, y) => x - y)).toEqual(Array.from(before, (_, i) => i));
        expect(ofB).toEqual(Array.from(after, (_, i) => i));
      }),
    );
  });
});
