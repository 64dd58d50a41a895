import fc from 'fast-check';
import { expect, it } from 'vitest';
import { needleOf } from './find-bytes.ts';
import { MAX_MATCHES, MatchSearch, matchFrom } from './match-search.ts';

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
    { numRuns: 20 },
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
