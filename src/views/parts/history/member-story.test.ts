import { expect, it } from 'vitest';
import { historyInFile } from '#analysis/atlas/history.ts';
import { historyCells, historyColumns } from '#analysis/atlas/history-grid.ts';
import { bufferSource } from '#bytes/source.ts';
import { sampleBytes } from '#testing/samples.ts';
import { memberStory } from './member-story.ts';

async function story(name: string): Promise<string> {
  const file = bufferSource('toy.btfatlas', sampleBytes('toy.btfatlas'));
  const read = await historyInFile(file, 'task_struct');
  if (read === null) throw new Error('the atlas has no task_struct');
  const { kernels, history } = read;
  const columns = historyColumns(kernels, history.forms, { order: 'version', isFolded: false });
  return memberStory(name, { kernels, columns, cellAt: historyCells(history.forms, columns) });
}

it('names each place once, with the kernels that have it', async () => {
  expect(await story('pid')).toBe('pid: byte 40 in 5.10 to 6.6; byte 48 in 6.12 and 6.18');
});

it('says where a member is not', async () => {
  expect(await story('state')).toBe('state: byte 0 in 5.10; not in 5.15 to 6.18');
  expect(await story('on_rq')).toBe('on_rq: not in 5.10 to 6.6; byte 20 in 6.12 and 6.18');
});
