/** The progress of a class, from the codes of its learners. */
import type { CodedLesson, CodedProgress } from './progress-code.ts';

/** A lesson that the teacher's page has. */
export type KnownLesson = {
  readonly fingerprint: number;
  readonly title: string;
  readonly steps: readonly { readonly title: string; readonly isAsked: boolean }[];
};

export type Learner = {
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

export type StepTally = {
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
