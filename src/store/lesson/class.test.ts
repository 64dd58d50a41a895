import { afterEach, describe, expect, it, vi } from 'vitest';
import { decodeProgress, encodeProgress, lessonFingerprint } from '#lessons/class-progress.ts';
import {
  addCodes,
  brokenCodes,
  keptClass,
  knownLessons,
  ownCode,
  removeCodes,
  setLearnerName,
  useClass,
} from './class.ts';
import { noteProgress, useProgress } from './progress.ts';

afterEach(() => {
  removeCodes();
  setLearnerName('');
  useProgress.setState({ lessons: {} });
  vi.unstubAllGlobals();
});

const codeOf = (name: string) => encodeProgress({ name, lessons: [] });
const lessons = () => useProgress.getState().lessons;

describe('the own code', () => {
  it('has the lessons with their steps, the one seen last first', () => {
    expect(ownCode(lessons(), 'Ada')).toBeNull();
    vi.useFakeTimers();
    vi.setSystemTime(1);
    noteProgress('a', { title: 'A', steps: ['one', 'two'], at: 'two', done: ['one'] });
    vi.setSystemTime(2);
    noteProgress('b', { title: 'B', steps: ['x'], at: 'gone', done: [] });
    noteProgress('c', { at: 'of an older page' });
    vi.useRealTimers();
    expect(decodeProgress(ownCode(lessons(), 'Ada') ?? '')).toEqual({
      name: 'Ada',
      lessons: [
        { fingerprint: lessonFingerprint('B', ['x']), at: 0, done: [false] },
        { fingerprint: lessonFingerprint('A', ['one', 'two']), at: 1, done: [true, false] },
      ],
    });
  });
});

describe('collected codes', () => {
  it('are kept once each, and what cannot be read is refused', () => {
    const kept = new Map<string, string>();
    vi.stubGlobal('localStorage', {
      setItem: (key: string, text: string) => kept.set(key, text),
      removeItem: (key: string) => kept.delete(key),
    });
    expect(addCodes('hello')).toBe(-1);
    expect(addCodes(`${codeOf('Ada').slice(0, -3)} cut`)).toBe(-1);
    expect(brokenCodes(`${codeOf('Ada').slice(0, -3)} cut, ${codeOf('Bob')}`)).toBe(1);
    expect(addCodes(`Ada ${codeOf('Ada')}\nBob ${codeOf('Bob').toLowerCase()}`)).toBe(2);
    expect(addCodes(codeOf('Ada'))).toBe(0);
    setLearnerName('Eve');
    expect(keptClass.parse(kept.get('btfscope-class') ?? '')).toEqual({
      name: 'Eve',
      codes: [codeOf('Ada'), codeOf('Bob')],
    });
    removeCodes();
    setLearnerName('');
    expect(kept.size).toBe(0);
    expect(useClass.getState().codes).toEqual([]);
  });

  it.each(['', 'null', '[]', '{"codes": [1, "BTF1-A"], "name": 5}'])('of %s are none', (text) => {
    expect(keptClass.parse(text)).toEqual({ name: '', codes: [] });
  });
});

it('the page knows its own lessons by the fingerprints that learners send', async () => {
  const known = await knownLessons();
  const prints = new Set(known.map(({ fingerprint }) => fingerprint));
  expect(prints.size).toBe(known.length);
  const header = known.find(({ title }) => title === 'The BTF header and its strings');
  expect(header?.steps[0]).toEqual({ title: 'Two bytes to know it by', isAsked: true });
});
