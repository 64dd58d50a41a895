import { describe, expect, it } from 'vitest';
import {
  type CodedLesson,
  type CodedProgress,
  type KnownLesson,
  tallyClass,
} from './class-progress.ts';

const HEADER: KnownLesson = {
  fingerprint: 1,
  title: 'The header',
  steps: [
    { title: 'Magic', isAsked: true, wrong: ['The length', 'The byte order'] },
    { title: 'Words only', isAsked: false, wrong: [] },
    { title: 'Length', isAsked: true, wrong: ['16'] },
  ],
};

const at = (step: number, ...answered: number[]): CodedLesson => ({
  fingerprint: 1,
  at: step,
  done: [0, 1, 2].map((index) => answered.includes(index)),
  wrong: [],
});
const of = (name: string, ...lessons: CodedLesson[]): CodedProgress => ({ name, lessons });

describe('the tally of a class', () => {
  const other: CodedLesson = { fingerprint: 9, at: 0, done: [false, true], wrong: [4] };
  const { learners, lessons } = tallyClass(
    [
      of('Ada', at(2, 0)),
      of('Bob', at(0)),
      of('', at(2, 0)),
      of('Cid', other, at(2, 0, 2)),
      of('bob', at(2, 0)),
      of('Eve', at(1, 0)),
      of('Dan'),
    ],
    [HEADER],
  );

  it('has the step of each learner; a later code replaces an earlier code', () => {
    const brief = learners.map(({ name, lesson, step, answered, asked, isFinished }) =>
      [name, lesson, step, `${answered}/${asked}`, isFinished].join(' '),
    );
    expect(brief).toEqual([
      'Ada 1 3 1/2 false',
      'Learner 3 1 3 1/2 false',
      'Cid 9 1 1/2 false',
      'bob 1 3 1/2 false',
      'Eve 1 2 1/2 false',
      'Dan  0 0/0 false',
    ]);
    expect(learners.find(({ name }) => name === 'Cid')?.finishedCount).toBe(1);
  });

  it('marks the step with the most waiting learners', () => {
    const [header, unknown] = lessons;
    expect(header).toMatchObject({ title: 'The header', isKnown: true, begun: 5, finished: 1 });
    expect(header?.steps.map(({ answered }) => answered)).toEqual([5, 0, 1]);
    expect(header?.steps.map(({ waiting }) => waiting)).toEqual([
      [],
      ['Eve'],
      ['Ada', 'Learner 3', 'bob'],
    ]);
    expect(header?.steps.map(({ isStop }) => isStop)).toEqual([false, false, true]);
    expect(unknown).toMatchObject({ fingerprint: 9, isKnown: false, begun: 1, finished: 0 });
    expect(unknown?.steps.map(({ title }) => title)).toEqual(['Step 1', 'Step 2']);
  });

  it('counts the wrong answers of each step, the most given first', () => {
    const withWrong = (...wrong: number[]) => ({ ...at(2, 0), wrong });
    const [tally] = tallyClass(
      [of('Ada', withWrong(1)), of('Bob', withWrong(3, 0, 0x81)), of('Cid', withWrong(1))],
      [HEADER],
    ).lessons;
    expect(tally?.steps.map(({ wrong }) => wrong)).toEqual([
      [
        { text: 'The length', learners: 3 },
        { text: 'The byte order', learners: 1 },
      ],
      [],
      [
        { text: '16', learners: 1 },
        { text: 'another answer', learners: 1 },
      ],
    ]);
    expect(lessons[1]?.steps[0]?.wrong).toEqual([{ text: 'answer 3', learners: 1 }]);
  });

  it('is empty without codes', () => {
    expect(tallyClass([], [HEADER])).toEqual({ learners: [], lessons: [] });
  });
});
