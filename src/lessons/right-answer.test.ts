import { describe, expect, it } from 'vitest';
import { resolvedSample } from '#testing/resolved-sample.ts';
import { sampleModel } from '#testing/samples.ts';
import type { Question } from './lesson.ts';
import { rightAnswer } from './right-answer.ts';

const prompt: Question['prompt'] = [];

describe('rightAnswer', () => {
  it('is the place of a click, the stated number, the right option', () => {
    const at = 'bytes=@0x0-0x2';
    expect(rightAnswer({ kind: 'click', prompt, at }, null)).toEqual({ kind: 'place', at });
    expect(
      rightAnswer(
        { kind: 'number', prompt, value: -24n, unit: null, why: '', nearMisses: [] },
        null,
      ),
    ).toEqual({
      kind: 'typed',
      text: '-24',
    });
    const options = [false, true].map((isRight) => ({ text: 'a', isRight, why: 'b' }));
    expect(rightAnswer({ kind: 'choice', prompt, options }, null)).toEqual({
      kind: 'chosen',
      option: 1,
    });
  });

  it('is the access string of a path in C', async () => {
    const model = await sampleModel('kinds.bpf.o');
    const ask = (root: string, path: string) =>
      rightAnswer({ kind: 'access', prompt, root, path }, model);
    expect(ask('struct:node', 'matrix[2][1]')).toEqual({ kind: 'typed', text: '0:1:2:1' });
    expect(ask('struct:anonymous', 'high')).toEqual({ kind: 'typed', text: '0:0:0:1' });
    expect(ask('struct:node', 'nowhere')).toBeNull();
    expect(ask('struct:nobody', 'next')).toBeNull();
    expect(ask('no key', 'next')).toBeNull();
  });

  it('is the number that libbpf writes into the instruction, or poison', async () => {
    const { results, model } = await resolvedSample('exec_trace.bpf.o', 'kernel.btf');
    const question: Question = { kind: 'value', prompt, core: 'core=x@0x0', target: 'sample:k' };
    const poisoned = results.find(({ status }) => status === 'poisoned');
    const changed = results.find(({ decision }) => decision !== null && !decision.poison);
    if (poisoned === undefined || !changed?.decision) throw new Error('both were expected');
    expect(rightAnswer(question, model, poisoned)).toEqual({ kind: 'typed', text: 'poison' });
    expect(rightAnswer(question, model, changed)).toEqual({
      kind: 'typed',
      text: `${changed.decision.newVal}`,
    });
    expect(rightAnswer(question, model, null)).toBeNull();
  });
});
