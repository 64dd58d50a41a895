/**
 * A learner's progress as a short code, to be copied or scanned. The page sends nothing.
 *
 *   BTF2-  then in base 32 (RFC 4648, without padding), all numbers big-endian:
 *   u8 length of the name, the name in UTF-8, u8 number of lessons, then each lesson, most recent
 *   first:
 *     u24 fingerprint, u8 number of steps, u8 open step, one bit per step (1: answered), from the
 *     highest bit of the first byte
 *   wrong answers, for each lesson that has some:
 *     u8 index of the lesson, one bit per step (1: has wrong answers), then for each such step u8:
 *     bit n for wrong answer n (`wrong-answers.ts`)
 *   u16 checksum of all bytes before it
 *   0      the end, a character that base 32 does not have: a code without it is cut
 *
 * A code of an older page begins with BTF1-, and has neither the number of lessons, nor wrong
 * answers, nor the end.
 */

import { append } from '#bytes/arrays.ts';
import { fnv1a } from '#bytes/fnv1a.ts';
import { MAX_STEPS } from './lesson.ts';
import { OTHER_WRONG } from './wrong-answers.ts';

export type CodedLesson = {
  /** Fingerprint of the lesson, as `lessonFingerprint` returns it. */
  readonly fingerprint: number;
  /** Index of the step that the learner has open, from 0. */
  readonly at: number;
  /** One flag per step of the lesson: true if the learner has answered it. */
  readonly done: readonly boolean[];
  /** Wrong answers per step, as bits: bit n is wrong answer n of `wrong-answers.ts`. */
  readonly wrong: readonly number[];
};

export type CodedProgress = {
  /** The learner's name as typed, not escaped; empty if none was typed. */
  readonly name: string;
  /** Lessons that the learner has opened, the most recent first. */
  readonly lessons: readonly CodedLesson[];
};

const PREFIX = 'BTF2-';
const OLD_PREFIX = 'BTF1-';
const END = '0';
const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';
/** Maximum length of the name in a code, in bytes of UTF-8. */
const MAX_NAME = 48;
/** Maximum number of lessons in a code; older lessons are left out. */
const MAX_LESSONS = 24;
/** Maximum bytes of wrong answers in a code; those of later steps and older lessons are left out. */
const MAX_WRONG = 19;

/** Returns a 24-bit hash of a lesson's title and the ids of its steps. */
export function lessonFingerprint(title: string, stepIds: readonly string[]): number {
  return fnv1a(new TextEncoder().encode([title, ...stepIds].join('\n'))) >>> 8;
}

/** Returns the code for a learner's progress. A long name is cut. */
export function encodeProgress({ name, lessons }: CodedProgress): string {
  const nameUtf8 = nameBytes(name);
  const coded = lessons
    .slice(0, MAX_LESSONS)
    .filter(({ at, done }) => done.length > 0 && done.length <= MAX_STEPS && at < done.length);
  const bytes = [nameUtf8.length, ...nameUtf8, coded.length];
  for (const { fingerprint, at, done } of coded) {
    bytes.push(fingerprint >>> 16, (fingerprint >>> 8) & 0xff, fingerprint & 0xff);
    bytes.push(done.length, at);
    append(bytes, bitBytes(done));
  }
  append(bytes, wrongBytes(coded));
  const check = checkOf(bytes);
  return PREFIX + base32([...bytes, check >>> 8, check & 0xff]) + END;
}

/** Encodes the wrong answers, in at most `MAX_WRONG` bytes. */
function wrongBytes(lessons: readonly CodedLesson[]): number[] {
  const bytes: number[] = [];
  for (const [index, { done, wrong }] of lessons.entries()) {
    const room = MAX_WRONG - bytes.length - 1 - Math.ceil(done.length / 8);
    const steps = done
      .flatMap((_, step) => (wrong[step] ? [step] : []))
      .slice(0, Math.max(0, room));
    if (steps.length === 0) continue;
    bytes.push(index);
    append(bytes, bitBytes(done.map((_, step) => steps.includes(step))));
    for (const step of steps) bytes.push((wrong[step] ?? 0) & 0xff);
  }
  return bytes;
}

/** Reads a code. Returns null for a text that is not a code, or if the checksum is wrong. */
export function decodeProgress(code: string): CodedProgress | null {
  const isOld = code.startsWith(OLD_PREFIX);
  const bytes = bytesOf(code);
  if (bytes === null || bytes.length < 3 || isCut(code)) return null;
  const end = bytes.length - 2;
  const at = (index: number) => bytes[index] ?? 0;
  if (checkOf(bytes.slice(0, end)) !== at(end) * 256 + at(end + 1)) return null;
  const nameEnd = 1 + at(0);
  if (nameEnd > end) return null;
  const bitsAt = (start: number, count: number) =>
    Array.from({ length: count }, (_, i) => ((at(start + (i >> 3)) >> (7 - (i & 7))) & 1) === 1);
  const lessons: (CodedLesson & { readonly wrong: number[] })[] = [];
  const count = isOld ? MAX_LESSONS : at(nameEnd);
  let next = isOld ? nameEnd : nameEnd + 1;
  while (next < end && lessons.length < count) {
    const stepCount = at(next + 3);
    const after = next + 5 + Math.ceil(stepCount / 8);
    if (after > end || stepCount === 0 || at(next + 4) >= stepCount) return null;
    const fingerprint = at(next) * 65536 + at(next + 1) * 256 + at(next + 2);
    const done = bitsAt(next + 5, stepCount);
    lessons.push({ fingerprint, at: at(next + 4), done, wrong: done.map(() => 0) });
    next = after;
  }
  while (next < end) {
    const wrong = lessons[at(next)]?.wrong;
    if (wrong === undefined) return null;
    const flags = bitsAt(next + 1, wrong.length);
    next += 1 + Math.ceil(wrong.length / 8);
    for (const [step, isWrong] of flags.entries()) if (isWrong) wrong[step] = at(next++);
  }
  return next > end ? null : { name: nameIn(bytes), lessons };
}

function bytesOf(code: string): number[] | null {
  const isNew = code.startsWith(PREFIX);
  if (!isNew && !code.startsWith(OLD_PREFIX)) return null;
  return fromBase32(code.slice(PREFIX.length).replace(isNew ? /0$/ : /$^/, ''));
}

/** Returns true for a code without its end. A code of an older page has no end. */
function isCut(code: string): boolean {
  return code.startsWith(PREFIX) && !code.endsWith(END);
}

/** Returns the name in the bytes of a code, which may be cut. */
function nameIn(bytes: readonly number[]): string {
  return new TextDecoder().decode(Uint8Array.from(bytes.slice(1, 1 + (bytes[0] ?? 0))));
}

/** Returns a sentence for a code that `decodeProgress` refuses. The name in it is not escaped. */
export function codeFault(code: string): string {
  const name = nameIn(bytesOf(code) ?? []).replaceAll('\ufffd', '');
  const whose = name === '' ? 'A code' : `The code of ${name}`;
  return isCut(code)
    ? `${whose} is cut at its end: copy the whole code.`
    : `${whose} is cut or changed: copy the whole code.`;
}

/** Finds all codes in a text, which can be a whole chat. The codes are not checked. */
export function codesIn(text: string): string[] {
  return [...new Set(text.toUpperCase().match(/BTF2-[A-Z2-7]+0?|BTF1-[A-Z2-7]+/g) ?? [])];
}

function nameBytes(name: string): number[] {
  const encoder = new TextEncoder();
  let characters = Array.from(name.trim()).slice(0, MAX_NAME);
  while (encoder.encode(characters.join('')).length > MAX_NAME)
    characters = characters.slice(0, -1);
  return [...encoder.encode(characters.join(''))];
}

function bitBytes(bits: readonly boolean[]): number[] {
  const bytes = new Array<number>(Math.ceil(bits.length / 8)).fill(0);
  for (const [index, isSet] of bits.entries()) {
    if (isSet) bytes[index >> 3] = (bytes[index >> 3] ?? 0) | (0x80 >> (index & 7));
  }
  return bytes;
}

function checkOf(bytes: readonly number[]): number {
  const hash = fnv1a(bytes);
  return (hash >>> 16) ^ (hash & 0xffff);
}

function base32(bytes: readonly number[]): string {
  let text = '';
  let bits = 0;
  let buffer = 0;
  for (const byte of bytes) {
    buffer = ((buffer << 8) | byte) & 0xfff;
    for (bits += 8; bits >= 5; bits -= 5) text += ALPHABET[(buffer >> (bits - 5)) & 31];
  }
  return bits === 0 ? text : text + ALPHABET[(buffer << (5 - bits)) & 31];
}

/** Decodes base 32. Returns null if a character is not in the alphabet. */
function fromBase32(text: string): number[] | null {
  const bytes: number[] = [];
  let bits = 0;
  let buffer = 0;
  for (const character of text) {
    const digit = ALPHABET.indexOf(character);
    if (digit < 0) return null;
    buffer = ((buffer << 5) | digit) & 0xfff;
    bits += 5;
    if (bits < 8) continue;
    bits -= 8;
    bytes.push((buffer >> bits) & 0xff);
  }
  return bytes;
}

/** Title and steps of a lesson that the teacher's page has. */
export type KnownLesson = {
  readonly fingerprint: number;
  readonly title: string;
  readonly steps: readonly {
    readonly title: string;
    readonly isAsked: boolean;
    /** Texts of the wrong answers that the lesson lists, by their bit in a code; not escaped. */
    readonly wrong: readonly string[];
  }[];
};

type Learner = {
  /** The learner's name, not escaped; `Learner 1` if the code has no name. */
  readonly name: string;
  /** Fingerprint of the lesson that the learner opened last; null if the code has no lesson. */
  readonly lesson: number | null;
  /** Number of the step that the learner has open, from 1; 0 if the code has no lesson. */
  readonly step: number;
  readonly answered: number;
  /** Number of questions in the lesson; number of steps if the page does not have the lesson. */
  readonly asked: number;
  readonly isFinished: boolean;
  /** Number of lessons that the learner has finished. */
  readonly finishedCount: number;
};

type StepTally = {
  readonly title: string;
  readonly isAsked: boolean;
  /** Number of learners who have answered this question. */
  readonly answered: number;
  /** Names of the learners who have this step open and have not answered. */
  readonly waiting: readonly string[];
  /** True if no other step of the lesson has more waiting learners. */
  readonly isStop: boolean;
  /** Wrong answers to this question, not escaped, with their number of learners; most first. */
  readonly wrong: readonly { readonly text: string; readonly learners: number }[];
};

export type LessonTally = {
  readonly fingerprint: number;
  readonly title: string;
  /** True if the page has the lesson. If not, the titles of its steps are numbers. */
  readonly isKnown: boolean;
  /** Number of learners who have opened the lesson. */
  readonly begun: number;
  readonly finished: number;
  readonly steps: readonly StepTally[];
};

export type ClassTally = {
  readonly learners: readonly Learner[];
  /** Lessons of the class. The lesson that most learners have open now is first. */
  readonly lessons: readonly LessonTally[];
};

/** Summarises the codes of a class. A later code replaces an earlier one with the same name. */
export function tallyClass(
  codes: readonly CodedProgress[],
  known: readonly KnownLesson[],
): ClassTally {
  const knownBy = new Map(known.map((lesson) => [lesson.fingerprint, lesson]));
  const byName = new Map<string, CodedProgress>();
  for (const [index, code] of codes.entries()) {
    const name = code.name.trim() || `Learner ${index + 1}`;
    byName.delete(name.toLowerCase());
    byName.set(name.toLowerCase(), { ...code, name });
  }
  const people = [...byName.values()];
  const learners = people.map((person) => learnerOf(person, knownBy));
  const fingerprints = new Set(people.flatMap(({ lessons }) => lessons.map((l) => l.fingerprint)));
  const learnersIn = (fingerprint: number) =>
    learners.filter(({ lesson }) => lesson === fingerprint).length;
  const lessons = [...fingerprints]
    .map((fingerprint) => lessonOf(fingerprint, people, knownBy.get(fingerprint) ?? null))
    .toSorted((a, b) => learnersIn(b.fingerprint) - learnersIn(a.fingerprint) || b.begun - a.begun);
  return { learners, lessons };
}

type KnownBy = ReadonlyMap<number, KnownLesson>;

function learnerOf({ name, lessons }: CodedProgress, known: KnownBy): Learner {
  const [now] = lessons;
  const finishedCount = lessons.filter((lesson) => countOf(lesson, known).isFinished).length;
  if (now === undefined) {
    return {
      name,
      lesson: null,
      step: 0,
      answered: 0,
      asked: 0,
      isFinished: false,
      finishedCount,
    };
  }
  return {
    name,
    lesson: now.fingerprint,
    step: now.at + 1,
    ...countOf(now, known),
    finishedCount,
  };
}

function countOf({ fingerprint, done }: CodedLesson, known: KnownBy) {
  const steps = known.get(fingerprint)?.steps;
  const isAsked = (index: number) => steps?.[index]?.isAsked ?? true;
  const asked = done.filter((_, index) => isAsked(index)).length;
  const answered = done.filter((isDone, index) => isDone && isAsked(index)).length;
  return { asked, answered, isFinished: answered === asked };
}

function lessonOf(
  fingerprint: number,
  people: readonly CodedProgress[],
  known: KnownLesson | null,
): LessonTally {
  const entries = people.flatMap(({ name, lessons }) =>
    lessons.flatMap((lesson, index) =>
      lesson.fingerprint === fingerprint ? [{ name, lesson, isNow: index === 0 }] : [],
    ),
  );
  const count = entries.reduce((most, { lesson }) => Math.max(most, lesson.done.length), 0);
  const steps = Array.from({ length: count }, (_, index) => ({
    title: known?.steps[index]?.title ?? `Step ${index + 1}`,
    isAsked: known?.steps[index]?.isAsked ?? true,
    answered: entries.filter(({ lesson }) => lesson.done[index] === true).length,
    waiting: entries
      .filter(({ lesson, isNow }) => isNow && lesson.at === index && lesson.done[index] !== true)
      .map(({ name }) => name),
    wrong: wrongOf(
      entries.map(({ lesson }) => lesson.wrong[index] ?? 0),
      known?.steps[index]?.wrong ?? [],
    ),
  }));
  const stops = steps.map(({ isAsked, waiting }) => (isAsked ? waiting.length : 0));
  const most = stops.reduce((a, b) => Math.max(a, b), 1);
  const knownBy: KnownBy = new Map(known === null ? [] : [[fingerprint, known]]);
  return {
    fingerprint,
    title: known?.title ?? 'A lesson that this page does not have',
    isKnown: known !== null,
    begun: entries.length,
    finished: entries.filter(({ lesson }) => countOf(lesson, knownBy).isFinished).length,
    steps: steps.map((step, index) => ({ ...step, isStop: stops[index] === most })),
  };
}

/** Counts the wrong answers in the bits of all learners. `texts` are those that the lesson lists. */
function wrongOf(given: readonly number[], texts: readonly string[]): StepTally['wrong'] {
  return Array.from({ length: 8 }, (_, bit) => ({
    text: texts[bit] ?? (bit === OTHER_WRONG ? 'another answer' : `answer ${bit + 1}`),
    learners: given.filter((bits) => (bits >> bit) & 1).length,
  }))
    .filter(({ learners }) => learners > 0)
    .toSorted((a, b) => b.learners - a.learners);
}
