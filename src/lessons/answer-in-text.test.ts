import { describe, expect, it } from 'vitest';
import { readLesson } from './read-lesson.ts';
import { givenAway, withoutAnswer } from './right-answer.ts';

const typed = (text: string) => ({ kind: 'typed', text }) as const;

describe('a text without the answer', () => {
  it.each([
    ['It lies 12 bytes in, at 0xc.', '12', 'It lies … bytes in, at ….'],
    [
      '12 of 112, in 12.5 and 0x12, at .BTF@0x10-0xc',
      '12',
      '… of 112, in 12.5 and 0x12, at .BTF@0x10-0xc',
    ],
    ['Read 0:3, not 0:3:1.', '0:3', 'Read …, not 0:3:1.'],
    ['2 reads, 2 records', '2', '2 reads, 2 records'],
    ['it is poison', 'poison', 'it is poison'],
  ])('is %s for %s: %s', (text, answer, left) => {
    expect(withoutAnswer(text, typed(answer), false)).toBe(left);
  });

  it('hides one digit only as a whole piece of code', () => {
    expect(withoutAnswer('3', typed('3'), true)).toBe('…');
    expect(withoutAnswer('vlen 3', typed('3'), true)).toBe('vlen 3');
  });
});

it.each([
  ['The vlen is `3`.', '', '3'],
  ['Bytes.', '```callout bytes=.BTF@0x0-0x2\n0x18 bytes\n```\n', '24'],
])('says that a step gives its answer away: %s %s', (text, pin, answer) => {
  const head = '---\ntitle: t\nabout: a\nobject: sample:kinds.btf\n---\n\n## S\n\n';
  const { lesson } = readLesson(`${head}${text}\n\n${pin}`);
  const step = lesson?.steps[0];
  if (step === undefined) throw new Error('no step');
  expect(givenAway(step, typed(answer))).toMatch(/^The text has the answer/);
  expect(givenAway(step, typed('99'))).toBeNull();
});
