import { afterEach, describe, expect, it, vi } from 'vitest';
import {
  exportProgress,
  givenOf,
  importProgress,
  keptProgress,
  lastLesson,
  noteGiven,
  noteProgress,
  progressOf,
  resetProgress,
  useProgress,
} from './progress.ts';

afterEach(() => {
  useProgress.setState({ lessons: {} });
  vi.unstubAllGlobals();
});

const lessons = () => useProgress.getState().lessons;

describe('progress', () => {
  it('is kept in the browser, a lesson after the other', () => {
    const kept = new Map<string, string>();
    vi.stubGlobal('localStorage', {
      setItem: (key: string, value: string) => kept.set(key, value),
    });
    noteProgress('a', { at: 'one', done: ['one'] });
    noteProgress('a', { at: 'two' });
    expect(keptProgress.parse(kept.get('btfscope-lessons') ?? '')).toEqual({
      a: {
        title: '',
        steps: [],
        at: 'two',
        done: ['one'],
        given: {},
        wrong: {},
        lang: 'en',
        track: null,
        isFinished: false,
        seenAt: expect.any(Number),
      },
    });
    expect(progressOf(lessons(), 'b')).toBeNull();
    expect(progressOf(lessons(), 'toString')).toBeNull();
  });

  it('lasts for the visit without browser storage', () => {
    vi.stubGlobal('localStorage', {
      setItem: () => {
        throw new Error('QuotaExceededError');
      },
    });
    noteProgress('a', { at: 'one' });
    expect(progressOf(lessons(), 'a')?.at).toBe('one');
  });

  it('names a lesson that is its own key by a hash, and distinguishes two', () => {
    const long = (end: string) => `md1:${'x'.repeat(5_000)}${end}`;
    noteProgress(long('a'), { at: 'one' });
    noteProgress(long('b'), { at: 'two' });
    expect(progressOf(lessons(), long('a'))?.at).toBe('one');
    expect(Object.keys(lessons()).every((name) => name.length < 20)).toBe(true);
    expect(lastLesson(lessons())).toBeNull();
  });

  it('forgets the lessons seen longest ago', () => {
    vi.useFakeTimers();
    for (let i = 0; i < 80; i++) {
      vi.setSystemTime(i);
      noteProgress(`lesson-${i}`, { at: 'x' });
    }
    vi.useRealTimers();
    expect(Object.keys(lessons())).toHaveLength(60);
    expect(progressOf(lessons(), 'lesson-0')).toBeNull();
  });
});

describe('answers', () => {
  it('are kept by lesson and step, unless they are very long', () => {
    noteGiven('a', 'one', '24');
    noteGiven('a', 'two', 'x'.repeat(8001));
    expect(givenOf('a', 'one')).toBe('24');
    expect(givenOf('a', 'two')).toBeNull();
    expect(givenOf('a', 'toString')).toBeNull();
    expect(givenOf('b', 'one')).toBeNull();
  });
});

describe('an exported file', () => {
  it('gives the progress back after a reset, and leaves what is newer', () => {
    vi.useFakeTimers();
    vi.setSystemTime(1);
    noteProgress('a', { at: 'one', track: 'why' });
    noteProgress('b', { at: 'old' });
    noteGiven('a', 'one', '24');
    const file = exportProgress();
    resetProgress();
    expect(lessons()).toEqual({});
    vi.setSystemTime(2);
    noteProgress('b', { at: 'new' });
    vi.useRealTimers();
    expect(importProgress(file)).toBe(2);
    expect(progressOf(lessons(), 'a')).toMatchObject({ at: 'one', track: 'why' });
    expect(givenOf('a', 'one')).toBe('24');
    expect(progressOf(lessons(), 'b')?.at).toBe('new');
    expect(importProgress('no progress')).toBe(0);
    expect(progressOf(lessons(), 'a')?.at).toBe('one');
  });
});

it('is read when the page begins, also as an older page kept it', async () => {
  const kept = JSON.stringify({ a: { at: 'one', done: ['one'], seenAt: 1 } });
  vi.stubGlobal('localStorage', { getItem: () => kept, setItem: () => undefined });
  vi.resetModules();
  const again = await import('./progress.ts');
  expect(again.progressOf(again.useProgress.getState().lessons, 'a')).toMatchObject({
    at: 'one',
    done: ['one'],
    lang: 'en',
  });
});

describe('lastLesson', () => {
  it('is the one seen last, unless it is finished', () => {
    vi.useFakeTimers();
    vi.setSystemTime(1);
    noteProgress('a', { at: 'x' });
    vi.setSystemTime(2);
    noteProgress('b', { at: 'y' });
    expect(lastLesson(lessons())).toMatchObject({ key: 'b', progress: { at: 'y' } });
    noteProgress('b', { isFinished: true });
    expect(lastLesson(lessons())).toBeNull();
    vi.useRealTimers();
  });

  it('is in the language in which it was looked at last', () => {
    noteProgress('why-core.de', { at: 'x' });
    expect(lastLesson(lessons())?.key).toBe('why-core.de');
    noteProgress('why-core', { at: 'x' });
    expect(lastLesson(lessons())?.key).toBe('why-core');
  });
});

const EMPTY = {
  title: '',
  steps: [],
  at: 'x',
  done: [],
  given: {},
  wrong: {},
  lang: 'en',
  track: null,
  isFinished: false,
  seenAt: 1,
};

it.each([
  ['', {}],
  ['null', {}],
  ['[1]', {}],
  ['{"a": 1, "b": {"at": 1}, "c": {"at": "x", "done": 5, "seenAt": 1}}', {}],
  [
    '{"a": {"at": "x", "done": ["y", 5], "seenAt": 1, "isFinished": 1}}',
    { a: { ...EMPTY, done: ['y'] } },
  ],
  [
    '{"a": {"at": "x", "done": [], "seenAt": 1, "given": {"y": "1", "z": 2}, "track": "toString"}}',
    { a: { ...EMPTY, given: { y: '1' } } },
  ],
  [
    '{"a": {"at": "x", "done": [], "seenAt": 1, "wrong": {"y": 129, "z": 256, "u": -1, "v": "1", "w": 0.5}}}',
    { a: { ...EMPTY, wrong: { y: 129 } } },
  ],
])('of what was kept takes what it wrote: %s', (text, expected) => {
  expect(keptProgress.parse(text)).toEqual(expected);
});
