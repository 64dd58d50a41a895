// @vitest-environment happy-dom
import { act } from 'react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { readLesson } from '#lessons/read-lesson.ts';
import * as player from '#store/lesson/lesson-player.ts';
import { closeLesson, type OpenLesson, useLesson } from '#store/lesson/lesson-state.ts';
import { find, fire, mount, typeInto, unmountAll } from '#testing/mount.tsx';
import { LESSON } from '#testing/play-lesson.ts';
import { UiProvider } from '#ui/UiProvider.tsx';
import { LessonPanel } from './LessonDock.tsx';

const HOSTILE = `---
title: T
about: A
object: sample:kinds.btf
---
## Step

<script>alert(1)</script> ![picture](https://evil.example/x.png)
[no](javascript:alert(1)) [yes](https://example.org) [place](#/bytes?bytes=@0x0-0x2)

${'> '.repeat(24)}deep
`;

function openAt(stepIndex: number, text = LESSON): void {
  const open: OpenLesson = {
    key: 'test',
    text,
    ...readLesson(text),
    original: null,
    linked: '',
    stepIndex,
    answer: null,
    misses: 0,
    placeProblem: null,
  };
  useLesson.setState({ open, problem: null });
}

beforeEach(() => {
  vi.spyOn(player, 'answerStep').mockResolvedValue();
  vi.spyOn(player, 'goToStep').mockResolvedValue();
});
afterEach(async () => {
  await unmountAll();
  closeLesson();
  vi.clearAllMocks();
});

const show = () =>
  mount(
    <UiProvider>
      <LessonPanel />
    </UiProvider>,
  );
const click = (element: HTMLElement) =>
  fire(element, new MouseEvent('click', { bubbles: true, cancelable: true }));
const answer = (isRight: boolean, why: string, misses: number) =>
  act(async () => {
    useLesson.setState(({ open }) =>
      open === null ? {} : { open: { ...open, answer: { isRight, why }, misses } },
    );
  });

it('shows the step, its pins and its question', async () => {
  openAt(0);
  const host = await show();
  const region = find(host, 'section[aria-label=Lesson]');
  expect(find(region, 'h2').textContent).toBe('The header of BTF');
  expect(find(region, 'h3').textContent).toBe('The magic');
  expect(region.textContent).toContain('Step 1 of 6');
  expect(find(region, 'ol[aria-label=Pins]').textContent).toBe('1version stands here.');
  expect(find(region, 'fieldset[aria-label=Question]').textContent).toContain('Click version.');
  const previous = find(region, '[aria-label="Previous step"]');
  expect(previous.hasAttribute('disabled')).toBe(true);
});

it('takes a typed answer by Enter, and shows the response', async () => {
  openAt(2);
  const host = await show();
  await typeInto(find(host, 'input[type=text]'), '24');
  await fire(find(host, 'form'), new Event('submit', { bubbles: true, cancelable: true }));
  expect(player.answerStep).toHaveBeenCalledExactlyOnceWith({ kind: 'typed', text: '24' });
  await answer(false, '`24` is too small.', 1);
  const said = find(host, '[aria-live=polite] [data-answer=wrong]');
  expect(said.textContent).toBe('Not yet. 24 is too small.');
  expect(host.textContent).not.toContain('Show me');
  await answer(false, 'Again.', 3);
  expect(host.textContent).toContain('Show me');
  await answer(true, '24, or 0x18.', 3);
  expect(find(host, '[data-answer=right]').textContent).toContain('24, or 0x18.');
  expect(host.textContent).not.toContain('Show me');
});

it('answers by choosing', async () => {
  openAt(3);
  const host = await show();
  const [, second] = host.querySelectorAll<HTMLInputElement>('input[type=radio]');
  if (second === undefined) throw new Error('no second option');
  await click(second);
  expect(player.answerStep).toHaveBeenCalledExactlyOnceWith({ kind: 'chosen', option: 1 });
});

it('shows no HTML, no pictures and no links with odd addresses', async () => {
  openAt(0, HOSTILE);
  const host = await show();
  expect(host.querySelector('script, img')).toBeNull();
  const links = [...host.querySelectorAll('a')].map((link) => link.getAttribute('href'));
  expect(links).toEqual([
    'https://example.org',
    '#/bytes?lesson=test&at=step&file=sample:kinds.btf&bytes=@0x0-0x2',
  ]);
  expect(host.textContent).toContain('no');
});

it('gives the reason if there is no lesson, and the faults of one', async () => {
  useLesson.setState({ open: null, problem: 'There is no lesson x' });
  const host = await show();
  expect(find(host, '[role=alert]').textContent).toContain('There is no lesson x.');
  await act(async () => openAt(0, '---\ntitle: T\nabout: A\nobject: sample:x\n---\n'));
  expect(host.textContent).toContain('This lesson has no step yet');
});
