import { afterEach, describe, expect, it, vi } from 'vitest';
import { lastLesson, noteProgress, progressOf, readKept, useProgress } from './progress.ts';

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
    expect(readKept(kept.get('btfscope-lessons') ?? '')).toEqual({
      a: { at: 'two', done: ['one'], isFinished: false, seenAt: expect.any(Number) },
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
});

it.each([
  ['', {}],
  ['null', {}],
  ['[1]', {}],
  ['{"a": 1, "b": {"at": 1}, "c": {"at": "x", "done": 5, "seenAt": 1}}', {}],
  [
    '{"a": {"at": "x", "done": ["y", 5], "seenAt": 1, "isFinished": 1}}',
    { a: { at: 'x', done: ['y'], isFinished: false, seenAt: 1 } },
  ],
])('of what was kept takes what it wrote: %s', (text, expected) => {
  expect(readKept(text)).toEqual(expected);
});
