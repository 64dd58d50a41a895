/** What the codes of a class say together: who is where, and which step stops people. */
import type { CodedLesson, CodedProgress } from './progress-code.ts';

/** A lesson that the page of the teacher knows. */
export type KnownLesson = {
  readonly fingerprint: number;
  readonly title: string;
  readonly steps: readonly { readonly title: string; readonly isAsked: boolean }[];
};

export type Learner = {
  /** Raw text; a number where the learner gave none. */
  readonly name: string;
  /** Fingerprint of the lesson that was looked at last; null before the first. */
  readonly lesson: number | null;
  /** From 1. */
  readonly step: number;
  readonly answered: number;
  /** Questions of that lesson; steps where it is not known. */
  readonly asked: number;
  readonly isFinished: boolean;
  /** Finished lessons, of all in the code. */
  readonly finishedCount: number;
};

export type StepTally = {
  readonly title: string;
  readonly isAsked: boolean;
  /** Learners that have answered it. */
  readonly answered: number;
  /** Names of those who look at it and have not answered it. */
  readonly waiting: readonly string[];
  /** Does no other step of the lesson have more that wait? */
  readonly isStop: boolean;
};

export type LessonTally = {
  readonly fingerprint: number;
  readonly title: string;
  /** Does this page have the lesson? Without it steps have numbers for titles. */
  readonly isKnown: boolean;
  /** Learners that have begun it. */
  readonly begun: number;
  readonly finished: number;
  readonly steps: readonly StepTally[];
};

export type ClassTally = {
  readonly learners: readonly Learner[];
  /** The lesson in which most are now first. */
  readonly lessons: readonly LessonTally[];
};

/** Counts the codes; of two with one name the later counts. */
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
  const seen = new Set(people.flatMap(({ lessons }) => lessons.map((l) => l.fingerprint)));
  const hereIn = (fingerprint: number) =>
    learners.filter(({ lesson }) => lesson === fingerprint).length;
  const lessons = [...seen]
    .map((fingerprint) => lessonOf(fingerprint, people, knownBy.get(fingerprint) ?? null))
    .toSorted((a, b) => hereIn(b.fingerprint) - hereIn(a.fingerprint) || b.begun - a.begun);
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
