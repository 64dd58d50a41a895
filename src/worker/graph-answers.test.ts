import { expect, it, vi } from 'vitest';
import { buildReferrers } from '#analysis/types/references.ts';
import { smallTypes } from '#testing/small-graph.ts';
import { graphAnswer, graphReferrers } from './graph-answers.ts';
import { packCopy } from './transfer.ts';

const ASK = { selected: 4, depth: 1, open: '', hide: null, path: [], forced: [] };

it('answers nothing, and makes no index, for a file without types', () => {
  const index = vi.fn(buildReferrers);
  expect(graphAnswer(null, ASK)).toBeNull();
  expect(graphReferrers(null, { type: 4, limit: 50 }, index)).toEqual([]);
  expect(index).not.toHaveBeenCalled();
});

it('gives a drawing that crosses as columns of numbers', async () => {
  const picture = graphAnswer(await smallTypes(), ASK);
  expect([...(picture?.boxes.type ?? [])]).toEqual([4, 2, 5]);
  expect(packCopy(picture).transfer).toHaveLength(15);
});

it('gives referrers in groups', async () => {
  const groups = graphReferrers(await smallTypes(), { type: 2, limit: 1 }, buildReferrers);
  expect(groups.map(({ group, total, ids }) => [group, total, [...ids]])).toEqual([
    ['pointer', 2, [4]],
  ]);
});
