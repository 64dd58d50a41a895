import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { forgetLinked, keepLinked, keptLinked, useLinkedLessons } from './kept-lessons.ts';

beforeEach(() => forgetLinked(null));
afterEach(() => {
  forgetLinked(null);
  vi.unstubAllGlobals();
});

const keys = () => useLinkedLessons.getState().lessons.map(({ key }) => key);

it('is kept in the browser, the lesson opened last first', () => {
  const kept = new Map<string, string>();
  vi.stubGlobal('localStorage', { setItem: (key: string, text: string) => kept.set(key, text) });
  keepLinked({ key: 'a', linked: '', title: 'A' });
  keepLinked({ key: 'b', linked: 'btf1:x', title: 'B' });
  keepLinked({ key: 'a', linked: '', title: 'A again' });
  expect(keptLinked.parse(kept.get('btfscope-linked-lessons') ?? '')).toEqual([
    { key: 'a', linked: '', title: 'A again' },
    { key: 'b', linked: 'btf1:x', title: 'B' },
  ]);
});

it('holds twelve, and not more characters than browsers keep', () => {
  for (let i = 0; i < 20; i++) keepLinked({ key: `lesson-${i}`, linked: '', title: '' });
  expect(keys()).toHaveLength(12);
  expect(keys()[0]).toBe('lesson-19');
  for (const name of ['a', 'b']) {
    keepLinked({ key: `md1:${name.repeat(400_000)}`, linked: '', title: '' });
  }
  expect(keys().map((key) => key.slice(0, 5))).toEqual(['md1:b']);
});

it.each(['', '{}', '[1, null, {"key": ""}]', '[{"key": "a", "title": 1, "linked": ""}]'])(
  'takes nothing from %s',
  (text) => {
    expect(keptLinked.parse(text)).toEqual([]);
  },
);
