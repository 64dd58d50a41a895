// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { CATALOGUE } from '#lessons/catalogue.ts';
import { noteProgress, useProgress } from '#store/lesson/progress.ts';
import * as start from '#store/lesson/start-lesson.ts';
import { find, fire, mount, unmountAll } from '#testing/mount.tsx';
import { Lessons } from './Lessons.tsx';

const startLesson = vi.fn();

beforeEach(() => {
  vi.spyOn(start, 'startLesson').mockImplementation(startLesson);
});
afterEach(async () => {
  await unmountAll();
  useProgress.setState({ lessons: {} });
  vi.clearAllMocks();
});

const click = (element: Element) => fire(element, new MouseEvent('click', { bubbles: true }));
const [first, second] = CATALOGUE;

it('lists all lessons, each with what has been done of it', async () => {
  if (first === undefined || second === undefined) throw new Error('no lessons');
  noteProgress(second.id, { at: 'x', done: ['x'], isFinished: true });
  noteProgress(first.id, { at: 'x' });
  const host = await mount(<Lessons />);
  const buttons = [...host.querySelectorAll('li button')];
  expect(buttons.map((button) => button.getAttribute('aria-label'))).toEqual(
    CATALOGUE.map(({ number, title }) => `Lesson ${number}: ${title}`),
  );
  const [begun = '', finished = '', fresh = ''] = buttons.map((button) => button.textContent);
  expect(begun).toMatch(/ Begun\.$/);
  expect(finished).toMatch(/ Finished\.$/);
  expect(fresh).not.toMatch(/(Begun|Finished)\.$/);
  await click(find(host, 'li button'));
  expect(startLesson).toHaveBeenCalledExactlyOnceWith(first.id);
});

it('offers to go on with the lesson seen last', async () => {
  const before = await mount(<Lessons />);
  expect(before.textContent).not.toContain('Continue');
  await unmountAll();
  if (second === undefined) throw new Error('no lessons');
  noteProgress(second.id, { at: 'x' });
  const host = await mount(<Lessons />);
  const button = find(host, 'button');
  expect(button.textContent).toBe(`Continue where you were: ${second.title}`);
  await click(button);
  expect(startLesson).toHaveBeenCalledExactlyOnceWith(second.id);
});
