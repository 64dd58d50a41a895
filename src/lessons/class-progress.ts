/**
 * A learner's progress as a short code, to be copied or scanned. The page sends nothing.
 *
 *   BTF1-  then in base 32 (RFC 4648, without padding), all numbers big-endian:
 *   u8 length of the name, the name in UTF-8, then each lesson, most recent first:
 *     u24 fingerprint, u8 number of steps, u8 open step, one bit per step (1: answered), from the
 *     highest bit of the first byte
 *   u16 checksum of all bytes before it
 */

import { fnv1a } from '#analysis/links/packed.ts';
import { append } from '#bytes/arrays.ts';
import { MAX_STEPS } from './lesson.ts';

export type CodedLesson = {
  /** Result of `lessonFingerprint`. */
  readonly fingerprint: number;
  /** The open step, from 0. */
  readonly at: number;
  /** True for each step with an answer. */
  readonly done: readonly boolean[];
};

export type CodedProgress = {
  /** Raw text; empty if the learner gave no name. */
  readonly name: string;
  /** Most recent first. */
  readonly lessons: readonly CodedLesson[];
};

const PREFIX = 'BTF1-';
const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';
/** Bytes of UTF-8. */
const MAX_NAME = 48;
/** The code has the most recent lessons only. */
const MAX_LESSONS = 24;

/** Returns 24 bits of a hash of the title and the ids of the steps. */
export function lessonFingerprint(title: string, stepIds: readonly string[]): number {
  return fnv1a(new TextEncoder().encode([title, ...stepIds].join('\n'))) >>> 8;
}

/** Returns the code. Long names are cut. */
export function encodeProgress({ name, lessons }: CodedProgress): string {
  const nameUtf8 = nameBytes(name);
  const bytes = [nameUtf8.length, ...nameUtf8];
  for (const { fingerprint, at, done } of lessons.slice(0, MAX_LESSONS)) {
    if (done.length === 0 || done.length > MAX_STEPS || at >= done.length) continue;
    bytes.push(fingerprint >>> 16, (fingerprint >>> 8) & 0xff, fingerprint & 0xff);
    bytes.push(done.length, at);
    append(bytes, bitBytes(done));
  }
  const check = checkOf(bytes);
  return PREFIX + base32([...bytes, check >>> 8, check & 0xff]);
}

/** Reads a code; returns null for any other text and for a code with errors. */
export function decodeProgress(code: string): CodedProgress | null {
  const bytes = code.startsWith(PREFIX) ? fromBase32(code.slice(PREFIX.length)) : null;
  if (bytes === null || bytes.length < 3) return null;
  const end = bytes.length - 2;
  const at = (index: number) => bytes[index] ?? 0;
  if (checkOf(bytes.slice(0, end)) !== at(end) * 256 + at(end + 1)) return null;
  const nameEnd = 1 + at(0);
  if (nameEnd > end) return null;
  const lessons: CodedLesson[] = [];
  for (let next = nameEnd; next < end; ) {
    const stepCount = at(next + 3);
    const after = next + 5 + Math.ceil(stepCount / 8);
    if (after > end || stepCount === 0 || at(next + 4) >= stepCount) return null;
    const fingerprint = at(next) * 65536 + at(next + 1) * 256 + at(next + 2);
    const bits = next + 5;
    const isDone = (step: number) => ((at(bits + (step >> 3)) >> (7 - (step & 7))) & 1) === 1;
    const done = Array.from({ length: stepCount }, (_, step) => isDone(step));
    lessons.push({ fingerprint, at: at(next + 4), done });
    next = after;
  }
  return { name: new TextDecoder().decode(Uint8Array.from(bytes.slice(1, nameEnd))), lessons };
}

/** Returns the texts that have the form of a code. The input can be a whole chat. */
export function codesIn(text: string): string[] {
  return [...new Set(text.toUpperCase().match(/BTF1-[A-Z2-7]+/g) ?? [])];
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

/** Returns the bytes; null if a character is not in the alphabet. */
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

/** A lesson that the teacher's page has. */
export type KnownLesson = {
  readonly fingerprint: number;
  readonly title: string;
  readonly steps: readonly { readonly title: string; readonly isAsked: boolean }[];
};

type Learner = {
  /** Raw text; `Learner 1` if the code has no name. */
  readonly name: string;
  /** Fingerprint of the lesson that was open last; null if the code has no lesson. */
  readonly lesson: number | null;
  /** The open step, from 1; 0 without a lesson. */
  readonly step: number;
  readonly answered: number;
  /** Questions of the lesson; steps if the page does not have the lesson. */
  readonly asked: number;
  readonly isFinished: boolean;
  /** Finished lessons in the code. */
  readonly finishedCount: number;
};

type StepTally = {
  readonly title: string;
  readonly isAsked: boolean;
  /** Number of learners that have answered the question. */
  readonly answered: number;
  /** Names of the learners at this step without an answer. */
  readonly waiting: readonly string[];
  /** True for the steps with the most waiting learners of the lesson. */
  readonly isStop: boolean;
};

export type LessonTally = {
  readonly fingerprint: number;
  readonly title: string;
  /** False if the page does not have the lesson; titles of steps are numbers then. */
  readonly isKnown: boolean;
  /** Number of learners that have opened the lesson. */
  readonly begun: number;
  readonly finished: number;
  readonly steps: readonly StepTally[];
};

export type ClassTally = {
  readonly learners: readonly Learner[];
  /** The lesson with the most learners at present is first. */
  readonly lessons: readonly LessonTally[];
};

/** Counts the codes. A later code with the same name replaces an earlier code. */
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
