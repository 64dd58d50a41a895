import { describe, expect, it } from 'vitest';
import type { Question } from './lesson.ts';
import { listedAnswers, OTHER_WRONG, wrongNumber } from './wrong-answers.ts';

const option = (text: string, isRight = false) => ({ text, isRight, why: '' });

describe('a wrong answer', () => {
  it('to a choice has the number of its option', () => {
    const question: Question = {
      kind: 'choice',
      prompt: [],
      options: [
        option('a'),
        option('b', true),
        ...'cdefghij'.split('').map((text) => option(text)),
      ],
    };
    expect(listedAnswers(question)).toEqual(['a', 'b', 'c', 'd', 'e', 'f', 'g']);
    expect(wrongNumber(question, { kind: 'chosen', option: 2 })).toBe(2);
    expect(wrongNumber(question, { kind: 'chosen', option: 9 })).toBe(OTHER_WRONG);
  });

  it('to a number is the likely value, in any notation and unit', () => {
    const question: Question = {
      kind: 'number',
      prompt: [],
      value: 24n,
      unit: 'byte',
      why: '',
      nearMisses: [
        { value: 16n, means: 'the end' },
        { value: 32n, means: 'the header of 2026' },
      ],
    };
    expect(listedAnswers(question)).toEqual(['16', '32']);
    const typed = (text: string) => wrongNumber(question, { kind: 'typed', text });
    expect(['16', '0x20', '256 bits', '17', 'x'].map(typed)).toEqual([0, 1, 1, 7, 7]);
  });

  it('by a click is none that the lesson lists', () => {
    const question: Question = { kind: 'click', prompt: [], at: 'type=struct:foo' };
    expect(listedAnswers(question)).toEqual([]);
    expect(wrongNumber(question, null)).toBe(OTHER_WRONG);
  });
});
