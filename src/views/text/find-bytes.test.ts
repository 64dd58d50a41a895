import fc from 'fast-check';
import { expect, it } from 'vitest';
import { findBytes, needleOf } from './find-bytes.ts';

const encode = (text: string) => new TextEncoder().encode(text);

/** All matches, found in pieces of `piece` bytes. */
function search(text: string, query: string, matchCase: boolean, piece = 1 << 20): number[] {
  const bytes = encode(text);
  const needle = needleOf(query, matchCase);
  const found: number[] = [];
  if (needle === null) return found;
  for (let at = 0; at < bytes.length; ) {
    at = findBytes(bytes, needle, at, Math.min(bytes.length, at + piece), (hit) => found.push(hit));
  }
  return found;
}

function oracle(text: string, query: string): number[] {
  const found: number[] = [];
  for (let at = text.indexOf(query); at >= 0; at = text.indexOf(query, at + query.length)) {
    found.push(at);
  }
  return found;
}

const letters = (max: number) =>
  fc
    .array(fc.constantFrom('a', 'b', 'A', 'B', ' '), { minLength: 1, maxLength: max })
    .map((list) => list.join(''));

it('finds what String.indexOf finds, whatever the pieces', () => {
  fc.assert(
    fc.property(letters(60), letters(4), fc.integer({ min: 1, max: 9 }), (text, query, piece) => {
      expect(search(text, query, true, piece)).toEqual(oracle(text, query));
      expect(search(text, query, false, piece)).toEqual(
        oracle(text.toLowerCase(), query.toLowerCase()),
      );
    }),
  );
});

it('finds other characters by their bytes', () => {
  expect(search('naïve ï', 'ï', false)).toEqual([2, 7]);
  expect(search('[x] {X}', '{x', false)).toEqual([4]);
  // Only letters have a case: `[` and `{` are as far apart as `A` and `a`.
  expect(search('[{', '{', false)).toEqual([1]);
});

it('looks for nothing when nothing is asked', () => {
  expect(needleOf('', false)).toBeNull();
});
