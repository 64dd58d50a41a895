import fc from 'fast-check';
import { expect, it } from 'vitest';
import { runs } from '#testing/runs.ts';
import { findBytes, MAX_MATCHES, MatchSearch, matchFrom, needleOf } from './use-find.ts';

const encode = (text: string) => new TextEncoder().encode(text);

/** Returns the offsets of all matches, found in slices of `piece` bytes. */
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
  // `[` and `{` differ in the same bit as `A` and `a`. They are no letters, so they do not match.
  expect(search('[{', '{', false)).toEqual([1]);
});

it('finds no match for an empty query', () => {
  expect(needleOf('', false)).toBeNull();
});

function searchFor(bytes: Uint8Array, query: string): MatchSearch {
  const needle = needleOf(query, true);
  if (needle === null) throw new Error('nothing to look for');
  return new MatchSearch(bytes, needle);
}

it('finds the same in pieces as at once', () => {
  const bytes = new TextEncoder().encode('abcabc'.repeat(900));
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 100 }), (piece) => {
      const search = searchFor(bytes, 'ca');
      while (!search.isDone) search.advance(piece);
      expect(search.count).toBe(1799);
      expect(search.offsets[1798]).toBe(2 + 3 * 1798);
    }),
    { numRuns: runs(20) },
  );
});

it('stops when it has found more than anybody looks at', () => {
  const search = searchFor(new Uint8Array(MAX_MATCHES + 5).fill(0x61), 'a');
  search.advance(MAX_MATCHES + 5);
  expect(search).toMatchObject({ isDone: true, count: MAX_MATCHES });
});

it('finds the match to begin with', () => {
  fc.assert(
    fc.property(fc.uniqueArray(fc.nat(50)), fc.nat(60), (list, start) => {
      const offsets = Uint32Array.from(list).sort();
      const index = offsets.findIndex((offset) => offset >= start);
      expect(matchFrom(offsets, offsets.length, start)).toBe(index < 0 ? null : index);
    }),
  );
});
