/** Tests that search queries run in slices, and that a newer query cancels an older one. */
import { describe, expect, it } from 'vitest';
import type { FindAnswer } from '#analysis/find/make-hit.ts';
import type { Progress } from '#bytes/long-work.ts';
import { btfBlob } from '#testing/btf-blob.ts';
import { int, struct } from '#testing/btf-types.ts';
import { openModel } from '#testing/open-model.ts';
import { sampleBytes, sampleModel } from '#testing/samples.ts';
import type { FromWorker } from './protocol.ts';
import { FindAnswers } from './search-answers.ts';
import { FileServer } from './serve.ts';

const unwanted = () => undefined;
const live = () => new AbortController().signal;

/** Returns a model with enough types for an index of many slices. */
async function largeModel() {
  const types = Array.from({ length: 5_000 }, (_, i) =>
    struct(`struct_${i}`, 4, [{ name: `member_${i}`, type: 1, bitOffset: 0 }]),
  );
  return await openModel('large.btf', btfBlob({ types: [int('int', 4), ...types] }).bytes);
}

describe('the index', async () => {
  const model = await largeModel();

  it('is built in slices, reports progress, and is built once', async () => {
    const answers = new FindAnswers(0);
    const told: Progress[] = [];
    // Counts timers that run during the work: at least one between two slices.
    let ticks = 0;
    const timer = setInterval(() => ticks++, 0);
    const params = { text: 'struct_4999', limit: 5 };
    const { hits } = await answers.answer(params, model, live(), (p) => told.push(p));
    clearInterval(timer);
    expect(hits[0]?.title).toBe('struct_4999');
    expect(ticks).toBeGreaterThan(2);
    expect(told.length).toBeGreaterThan(0);
    for (const { step, done, total } of told) {
      expect(step).toBe('indexing names');
      expect(done).toBeLessThanOrEqual(total);
    }
    const again: Progress[] = [];
    await answers.answer(params, model, live(), (p) => again.push(p));
    expect(again).toEqual([]);
  });

  it('outlives a question that is given up', async () => {
    const answers = new FindAnswers(0);
    const params = { text: 'struct_7', limit: 5 };
    const controller = new AbortController();
    const first = answers.answer(params, model, controller.signal, unwanted);
    controller.abort();
    await expect(first).rejects.toThrow(/abort/i);
    const { hits } = await answers.answer(params, model, live(), unwanted);
    expect(hits[0]?.title).toBe('struct_7');
  });

  it('is another for another model', async () => {
    const answers = new FindAnswers(0);
    await answers.warm(model);
    const kernel = await sampleModel('kernel.btf');
    const { hits } = await answers.answer(
      { text: 'task_struct', limit: 5 },
      kernel,
      live(),
      unwanted,
    );
    expect(hits[0]?.title).toBe('task_struct');
  });
});

it('stops questions that are overtaken before it looks at them', async () => {
  const answers: FromWorker[] = [];
  const server = new FileServer((message) => answers.push(message));
  const file = new Blob([sampleBytes('kernel.btf')]);
  await server.handle({ id: 1, method: 'open', params: { name: 'kernel.btf', file } });
  const strokes = ['t', 'ta', 'tas', 'task'];
  const asked = strokes.flatMap((text, i) => [
    server.handle({ id: 10 + i, method: 'find', params: { text, limit: 5 } }),
    ...(i < strokes.length - 1 ? [server.handle({ id: 10 + i, method: 'cancel' })] : []),
  ]);
  await Promise.all(asked);
  const outcomes = answers.flatMap((answer) => ('id' in answer && answer.id >= 10 ? [answer] : []));
  expect(
    outcomes
      .filter(({ kind }) => kind === 'failed')
      .map(({ id }) => id)
      .sort(),
  ).toEqual([10, 11, 12]);
  const last = outcomes.find(({ kind }) => kind === 'ok');
  if (last?.kind !== 'ok') throw new Error('the last stroke has no answer');
  expect(last.id).toBe(13);
  const { hits } = last.value as FindAnswer;
  expect(hits.some(({ title }) => title === 'task_struct')).toBe(true);
});
