import { afterEach, describe, expect, it, vi } from 'vitest';
import { decodeProgress, encodeProgress, lessonFingerprint } from '#lessons/class-progress.ts';
import {
  addCodes,
  codeFaults,
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
    noteProgress('a', {
      title: 'A',
      steps: ['one', 'two'],
      at: 'two',
      done: ['one'],
      wrong: { two: 2 },
    });
    vi.setSystemTime(2);
    noteProgress('b', { title: 'B', steps: ['x'], at: 'gone', done: [] });
    noteProgress('c', { at: 'of an older page' });
    vi.useRealTimers();
    expect(decodeProgress(ownCode(lessons(), 'Ada') ?? '')).toEqual({
      name: 'Ada',
      lessons: [
        { fingerprint: lessonFingerprint('B', ['x']), at: 0, done: [false], wrong: [0] },
        {
          fingerprint: lessonFingerprint('A', ['one', 'two']),
          at: 1,
          done: [true, false],
          wrong: [0, 2],
        },
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
    expect(codeFaults(`${codeOf('Ada').slice(0, -3)} cut, ${codeOf('Bob')}`)).toEqual([
      'The code of Ada is cut at its end: copy the whole code.',
    ]);
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
  expect(header?.steps[0]).toMatchObject({ title: 'Two bytes to know it by', isAsked: true });
  expect(header?.steps[0]?.wrong.length).toBeGreaterThan(1);
});
