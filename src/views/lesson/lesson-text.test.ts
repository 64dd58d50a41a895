import { describe, expect, it } from 'vitest';
import { readLesson } from '#lessons/read-lesson.ts';
import type { OpenLesson } from '#store/lesson/lesson-state.ts';
import { LESSON } from '#testing/play-lesson.ts';
import { markdownText } from '#views/parts/Markdown.tsx';
import { stepMarks } from './LessonDock.tsx';
import { targetOf } from './Prose.tsx';

const open: OpenLesson = {
  key: 'test',
  text: LESSON,
  ...readLesson(LESSON),
  original: null,
  linked: '',
  stepIndex: 5,
  answer: null,
  misses: 0,
  placeProblem: null,
};

describe('targetOf', () => {
  it('links to a place in the file of the step', () => {
    expect(targetOf(open, '#/bytes?bytes=.BTF@0x0-0x2')).toEqual({
      kind: 'place',
      hash: '#/bytes?bytes=.BTF@0x0-0x2',
      href: '#/bytes?lesson=test&at=challenge-another-file&file=sample:exec_trace.bpf.o&bytes=.BTF@0x0-0x2',
    });
    expect(targetOf(open, '#/types?file=sample:kinds.btf')).toMatchObject({
      href: '#/types?lesson=test&at=challenge-another-file&file=sample:kinds.btf',
    });
  });

  it.each([
    ['#/?lesson=kinds', 'lesson'],
    ['https://docs.kernel.org/bpf/btf.html', 'page'],
    ['javascript:alert(1)', 'none'],
    ['data:text/html,x', 'none'],
    ['//evil.example', 'none'],
    ['../other', 'none'],
    ['#section', 'none'],
  ])('%s: %s', (address, kind) => {
    expect(targetOf(open, address).kind).toBe(kind);
  });
});

it('marks the current step, answered and skipped ones', () => {
  const steps = open.lesson?.steps ?? [];
  expect(stepMarks(steps, 5, ['a-struct']).map(({ state }) => state)).toEqual([
    'open',
    'answered',
    'open',
    'open',
    'seen',
    'here',
  ]);
});

it('makes one line of text, and shows what cannot be seen', () => {
  expect(markdownText('a\nb\u202e')).toMatch(/^a b.*202e/i);
});
