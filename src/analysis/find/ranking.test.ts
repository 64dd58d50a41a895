import fc from 'fast-check';
import { expect, it } from 'vitest';
import { Ranking } from './ranking.ts';

it('keeps the best, the earlier of two equal ones first, and counts all', () => {
  const scores = fc.array(fc.integer({ min: 0, max: 40 }), { maxLength: 200 });
  fc.assert(
    fc.property(scores, fc.integer({ min: 1, max: 30 }), (all, limit) => {
      const ranking = new Ranking<number>(limit);
      all.forEach((score, i) => {
        if (ranking.passes(score)) ranking.add(score, i);
      });
      const sorted = all
        .map((score, i) => [score, i] as const)
        .sort((a, b) => a[0] - b[0] || a[1] - b[1]);
      expect(ranking.best().map(({ value }) => value)).toEqual(
        sorted.slice(0, limit).map(([, i]) => i),
      );
      expect(ranking.total).toBe(all.length);
    }),
  );
});

it('bears scores beyond its range', () => {
  const ranking = new Ranking<string>(2);
  ranking.add(1e9, 'far');
  ranking.add(-5, 'near');
  ranking.add(3.4, 'between');
  expect(ranking.best().map(({ value }) => value)).toEqual(['near', 'between']);
});
