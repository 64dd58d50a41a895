import { expect, it } from 'vitest';
import { sampleModel } from '#testing/samples.ts';
import { modesOf, shownMode } from './core-modes.ts';

it('offers all parts to an object with records', async () => {
  const modes = modesOf(await sampleModel('doc_core.bpf.o'));
  expect(modes).toEqual(['records', 'matrix', 'log', 'playground', 'needs']);
  expect(shownMode(modes, 'matrix')).toBe('matrix');
});

it('shows the playground of a kernel, which has no records', async () => {
  const modes = modesOf(await sampleModel('kernel.btf'));
  expect(modes).toEqual(['playground', 'log']);
  expect(shownMode(modes, 'records')).toBe('playground');
  expect(shownMode(modes, 'log')).toBe('log');
});

it('has nothing for a file without types', async () => {
  const model = await sampleModel('kernel.btf');
  expect(shownMode(modesOf({ ...model, types: null }), 'records')).toBeNull();
});
