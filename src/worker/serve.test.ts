import { expect, it } from 'vitest';
import type { Progress } from '#bytes/long-work.ts';
import { rareProgress } from './serve.ts';

it('reports each step at once, and progress within a step', () => {
  const told: Progress[] = [];
  let time = 0;
  const tell = rareProgress(
    (progress) => told.push(progress),
    () => time,
  );
  for (let done = 0; done < 1000; done++) {
    time = done;
    tell({ step: 'reading relocations', done, total: 1000 });
  }
  expect(told.map(({ done }) => done)).toEqual(Array.from({ length: 20 }, (_, i) => 50 * i));
  tell({ step: 'reading types', done: 0, total: 0 });
  expect(told.at(-1)?.step).toBe('reading types');
});
