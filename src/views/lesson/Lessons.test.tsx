// @vitest-environment happy-dom

import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { CATALOGUE, lessonsOf, type Track } from '#lessons/catalogue.ts';
import { forgetLinked, keepLinked } from '#store/lesson/kept-lessons.ts';
import { noteProgress, useProgress } from '#store/lesson/progress.ts';
import * as start from '#store/lesson/start-lesson.ts';
import { find, fire, mount, unmountAll } from '#testing/mount.tsx';
import { ContinueLesson, Lessons } from './Lessons.tsx';

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
  noteProgress(first.id, { at: 'x', track: null });
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
  expect(startLesson).toHaveBeenCalledExactlyOnceWith(first.id, { track: null });
});

it('begins with the first track, and then with that of the lesson seen last', async () => {
  const titles = (host: HTMLElement) =>
    [...host.querySelectorAll('li button')].map((button) => button.getAttribute('aria-label'));
  const titlesOf = (track: Track) =>
    lessonsOf(track).map(({ title }, index) => `Lesson ${index + 1}: ${title}`);
  const before = await mount(<Lessons />);
  expect(titles(before)).toEqual(titlesOf('why'));
  await click(find(before, 'li button'));
  expect(startLesson.mock.calls[0]?.[1]).toEqual({ track: 'why' });
  await unmountAll();
  noteProgress('btf-header', { at: 'x', track: 'format' });
  const host = await mount(<Lessons />);
  expect(titles(host)).toEqual(titlesOf('format'));
});

it('lists lessons that links brought until they are removed', async () => {
  keepLinked({ key: 'md1:a', linked: 'btf1:b', title: 'First\u202e' });
  keepLinked({ key: 'md1:c', linked: '', title: 'Second' });
  keepLinked({ key: 'md1:c', linked: '', title: 'Second' });
  const host = await mount(<Lessons />);
  const list = find(host, 'ul[aria-label="Other lessons"]');
  expect(list.querySelectorAll('li')).toHaveLength(2);
  await click(find(list, 'li:last-child button'));
  expect(startLesson).toHaveBeenCalledExactlyOnceWith('md1:a', { linked: 'btf1:b' });
  expect(list.textContent).not.toContain('\u202e');
  await click(find(list, 'button[aria-label="Remove Second"]'));
  expect(list.querySelectorAll('li')).toHaveLength(1);
  forgetLinked(null);
});

it('offers to go on with the lesson seen last', async () => {
  const before = await mount(<ContinueLesson />);
  expect(before.textContent).toBe('');
  await unmountAll();
  if (second === undefined) throw new Error('no lessons');
  noteProgress(second.id, { at: 'x', steps: ['a', 'x'] });
  const host = await mount(<ContinueLesson />);
  const button = find(host, 'button');
  expect(button.textContent).toBe(`Continue: ${second.title}, step 2`);
  await click(button);
  expect(startLesson).toHaveBeenCalledExactlyOnceWith(second.id);
});
