import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  codeFault,
  codesIn,
  decodeProgress,
  encodeProgress,
  lessonFingerprint,
} from './class-progress.ts';

const ADA = {
  name: 'Ada',
  lessons: [{ fingerprint: 0x123456, at: 2, done: [true, false, true], wrong: [0, 5, 0x80] }],
};

const lesson = fc.array(fc.boolean(), { minLength: 1, maxLength: 200 }).chain((done) =>
  fc.record({
    fingerprint: fc.integer({ min: 0, max: 0xffffff }),
    at: fc.integer({ min: 0, max: done.length - 1 }),
    done: fc.constant(done),
    wrong: fc.constant(done.map(() => 0)),
  }),
);

describe('a code', () => {
  it('has the documented form', () => {
    // Bytes in hex: `03 41 64 61` is the name, `01` the number of lessons, `12 34 56 03 02 a0` the
    // lesson, `00 60 05 80` its wrong answers; a checksum and the end follow.
    expect(encodeProgress(ADA)).toMatch(/^BTF2-ANAWIYIBCI2FMAYCUAAGABMA[A-Z2-7]{4}0$/);
    expect(decodeProgress(encodeProgress(ADA))).toEqual(ADA);
  });

  it('of an older page has no wrong answers', () => {
    const [lesson] = ADA.lessons;
    expect(decodeProgress('BTF1-ANAWIYISGRLAGAVAEA4A')).toEqual({
      name: 'Ada',
      lessons: [{ ...lesson, wrong: [0, 0, 0] }],
    });
  });

  it('has wrong answers in at most 20 bytes, those of the newest lesson and its first steps', () => {
    const many = (fingerprint: number) => ({
      fingerprint,
      at: 0,
      done: new Array<boolean>(12).fill(false),
      wrong: new Array<number>(12).fill(3),
    });
    const lessons = [many(1), many(2)];
    const bare = lessons.map((one) => ({ ...one, wrong: [] }));
    const code = encodeProgress({ name: '', lessons });
    const grown = code.length - encodeProgress({ name: '', lessons: bare }).length;
    expect(grown).toBeLessThanOrEqual(20 * 1.6);
    const read = decodeProgress(code)?.lessons ?? [];
    expect(read.map(({ wrong }) => wrong.filter((bits) => bits === 3).length)).toEqual([12, 1]);
    expect(read[1]?.wrong[0]).toBe(3);
  });

  it('that is cut says so, with the name', () => {
    const code = encodeProgress(ADA);
    for (let length = 13; length < code.length; length++) {
      const cut = code.slice(0, length);
      expect(decodeProgress(cut), cut).toBeNull();
      expect(codeFault(cut)).toBe('The code of Ada is cut at its end: copy the whole code.');
    }
    expect(codeFault('BTF2-A')).toBe('A code is cut at its end: copy the whole code.');
    expect(codeFault(code.replace('CI2', 'CI3'))).toBe(
      'The code of Ada is cut or changed: copy the whole code.',
    );
  });

  it('is read as it was written', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'grapheme', maxLength: 12 }),
        fc.array(lesson, { maxLength: 24 }),
        (name, lessons) => {
          const read = decodeProgress(encodeProgress({ name, lessons }));
          expect(read?.lessons).toEqual(lessons);
          expect(name.trim().startsWith(read?.name ?? '?')).toBe(true);
        },
      ),
    );
  });

  it('of a workshop of eight lessons is shorter than 130 characters', () => {
    const lessons = Array.from({ length: 8 }, (_, i) => ({
      fingerprint: i,
      at: 0,
      done: new Array<boolean>(12).fill(true),
      wrong: [],
    }));
    expect(encodeProgress({ name: 'Ada Lovelace', lessons }).length).toBeLessThan(130);
  });

  it('keeps 48 bytes of a name, and whole characters', () => {
    const { name = '' } =
      decodeProgress(encodeProgress({ name: '日'.repeat(40), lessons: [] })) ?? {};
    expect(name).toBe('日'.repeat(16));
  });

  it('is refused with a wrong character', () => {
    const code = encodeProgress(ADA);
    for (let i = 5; i < code.length - 1; i++) {
      const other = code[i] === 'A' ? 'B' : 'A';
      const wrong = code.slice(0, i) + other + code.slice(i + 1);
      const read = decodeProgress(wrong);
      // The last character also has unused bits, so that a changed one can still be valid.
      if (i < code.length - 2) expect(read, wrong).toBeNull();
    }
    expect(decodeProgress(code.slice(0, -2))).toBeNull();
    expect(decodeProgress('')).toBeNull();
    expect(decodeProgress('BTF1-')).toBeNull();
    expect(decodeProgress('BTF1-11')).toBeNull();
  });

  it('never throws, whatever is typed', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[A-Z2-7]{0,80}$/), (text) => {
        decodeProgress(`BTF1-${text}`);
        decodeProgress(`BTF2-${text}0`);
      }),
    );
  });

  it('is found in a text', () => {
    const [a, b] = [encodeProgress(ADA), encodeProgress({ ...ADA, name: 'Bob' })];
    expect(codesIn(`Ada: ${a}\n> ${b.toLowerCase()}, and again ${a}.`)).toEqual([a, b]);
    expect(codesIn('none')).toEqual([]);
  });
});

it('the fingerprint depends on the title, the steps and their order', () => {
  const prints = [
    lessonFingerprint('T', ['a', 'b']),
    lessonFingerprint('T', ['b', 'a']),
    lessonFingerprint('T', ['a']),
    lessonFingerprint('U', ['a', 'b']),
  ];
  expect(new Set(prints).size).toBe(4);
  expect(prints.every((print) => print >= 0 && print <= 0xffffff)).toBe(true);
});
