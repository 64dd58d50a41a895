/** Progress in each lesson. Without browser storage it lasts until the page closes. */

import { create } from 'zustand';
import { fnv1a } from '#bytes/fnv1a.ts';
import { languageOfKey, languagesOf, TRACKS, type Track } from '#lessons/catalogue.ts';
import { MAX_STEPS } from '#lessons/lesson.ts';
import { fieldsOf, itemsOf, kept } from '#store/kept/local-storage.ts';

/** Progress in one lesson. Steps are named by id, so that an inserted step changes nothing. */
export type LessonProgress = {
  /** Title of the lesson at the last visit, not escaped. */
  readonly title: string;
  /** Ids of all steps of the lesson. */
  readonly steps: readonly string[];
  /** Id of the step at the last visit. */
  readonly at: string;
  /** Ids of the steps answered right. */
  readonly done: readonly string[];
  /** Last answer by step id: typed text, or the index of the chosen option. */
  readonly given: Readonly<Record<string, string>>;
  /** Wrong answers by step id, as bits: bit n is wrong answer n of `lessons/wrong-answers.ts`. */
  readonly wrong: Readonly<Record<string, number>>;
  /** Language of the lesson at the last visit (BCP 47). */
  readonly lang: string;
  /** Track of the last visit; null if the lesson was not opened from a track. */
  readonly track: Track | null;
  /** True once the last step was reached with all questions answered. */
  readonly isFinished: boolean;
  /** Time of the last visit, in milliseconds since 1970. */
  readonly seenAt: number;
};

export type ProgressByLesson = Readonly<Record<string, LessonProgress>>;

/** Limit of stored lessons; above it a new lesson replaces the least recent. */
const MAX_LESSONS = 60;
/** Limit of a key in characters; the hash of a longer key is stored instead. */
const MAX_KEY = 200;
const LONG = 'long:';
/** Limit of a stored answer in characters; longer answers are not stored. */
const MAX_GIVEN = 8000;

/** Progress of an unvisited lesson; also fills in fields that older versions did not store. */
const NO_PROGRESS: LessonProgress = {
  title: '',
  steps: [],
  at: '',
  done: [],
  given: {},
  wrong: {},
  lang: 'en',
  track: null,
  isFinished: false,
  seenAt: 0,
};

export const keptProgress = kept<ProgressByLesson>('btfscope-lessons', { parse: lessonsIn });

export const useProgress = create<{ readonly lessons: ProgressByLesson }>(() => ({
  lessons: keptProgress.read(),
}));

/** Returns the progress in a lesson; null before the first visit. */
export function progressOf(lessons: ProgressByLesson, key: string): LessonProgress | null {
  const name = nameOf(key);
  return Object.hasOwn(lessons, name) ? (lessons[name] ?? null) : null;
}

export function noteProgress(
  key: string,
  patch: Partial<Omit<LessonProgress, 'lang' | 'seenAt'>>,
): void {
  const { lessons } = useProgress.getState();
  const before = progressOf(lessons, key) ?? NO_PROGRESS;
  const { lang } = languageOfKey(key);
  const entry = { ...before, ...patch, lang, seenAt: Date.now() };
  keep({ ...lessons, [nameOf(key)]: entry });
}

export function noteGiven(key: string, step: string, text: string): void {
  if (text.length > MAX_GIVEN) return;
  const { given } = progressOf(useProgress.getState().lessons, key) ?? NO_PROGRESS;
  noteProgress(key, { given: { ...given, [step]: text } });
}

/** Returns the stored answer to a step; null if there is none. */
export function givenOf(key: string, step: string): string | null {
  const { given } = progressOf(useProgress.getState().lessons, key) ?? NO_PROGRESS;
  return Object.hasOwn(given, step) ? (given[step] ?? null) : null;
}

export function resetProgress(): void {
  keep({});
}

/** Returns the progress in all lessons as the text of a file for `importProgress`. */
export function exportProgress(): string {
  return `${JSON.stringify(useProgress.getState().lessons, null, 1)}\n`;
}

/** Adds the progress in a file; a lesson's later visit wins. Returns the file's lesson count. */
export function importProgress(text: string): number {
  const read = Object.entries(keptProgress.parse(text));
  const all = new Map(Object.entries(useProgress.getState().lessons));
  for (const [name, entry] of read) {
    if ((all.get(name)?.seenAt ?? -1) < entry.seenAt) all.set(name, entry);
  }
  if (read.length > 0) keep(Object.fromEntries(all));
  return read.length;
}

function keep(all: ProgressByLesson): void {
  const lessons = Object.fromEntries(newestFirst(all).slice(0, MAX_LESSONS));
  useProgress.setState({ lessons });
  keptProgress.write(lessons);
}

/** Returns the last visited lesson; null if it is finished or came in a link. */
export function lastLesson(
  lessons: ProgressByLesson,
): { key: string; progress: LessonProgress } | null {
  const last = newestFirst(lessons).find(([key]) => !key.startsWith(LONG));
  if (last === undefined || last[1].isFinished) return null;
  const [name, progress] = last;
  const translated = languagesOf(name).find(({ lang }) => lang === progress.lang);
  return { key: translated?.key ?? name, progress };
}

/** Returns the track of the last visit (null for none); `otherwise` if no lesson was visited. */
export function lastTrack(lessons: ProgressByLesson, otherwise: Track): Track | null {
  const [last] = newestFirst(lessons);
  return last === undefined ? otherwise : last[1].track;
}

/** Returns the entries of `lessons`, last visited first. */
export function newestFirst(lessons: ProgressByLesson): [string, LessonProgress][] {
  return Object.entries(lessons).toSorted(([, a], [, b]) => b.seenAt - a.seenAt);
}

/** Returns the name of a lesson in the storage: its key without language, hashed if it is long. */
function nameOf(keyOf: string): string {
  const key = languageOfKey(keyOf).id;
  if (key.length <= MAX_KEY) return key;
  return `${LONG}${fnv1a(new TextEncoder().encode(key)).toString(16)}`;
}

/** Reads stored progress; leaves out invalid entries. */
function lessonsIn(json: unknown): ProgressByLesson {
  const entries = Object.entries(fieldsOf(json)).flatMap(([key, value]) => {
    const entry = readEntry(fieldsOf(value));
    return entry === null ? [] : [[key, entry] as const];
  });
  return Object.fromEntries(entries.slice(0, MAX_LESSONS));
}

function readEntry(entry: Readonly<Record<string, unknown>>): LessonProgress | null {
  const { at, done, isFinished, seenAt, title, track } = entry;
  if (typeof at !== 'string' || typeof seenAt !== 'number' || !Array.isArray(done)) return null;
  return {
    title: typeof title === 'string' ? title : '',
    steps: texts(entry.steps),
    at,
    done: texts(done),
    given: readGiven(entry.given),
    wrong: readWrong(entry.wrong),
    lang: typeof entry.lang === 'string' ? entry.lang : NO_PROGRESS.lang,
    track: typeof track === 'string' && Object.hasOwn(TRACKS, track) ? (track as Track) : null,
    isFinished: isFinished === true,
    seenAt,
  };
}

function texts(value: unknown): string[] {
  return itemsOf(value)
    .filter((id): id is string => typeof id === 'string')
    .slice(0, MAX_STEPS);
}

function readGiven(value: unknown): LessonProgress['given'] {
  const isText = (pair: [string, unknown]): pair is [string, string] =>
    typeof pair[1] === 'string' && pair[1].length <= MAX_GIVEN;
  return Object.fromEntries(Object.entries(fieldsOf(value)).filter(isText).slice(0, MAX_STEPS));
}

function readWrong(value: unknown): LessonProgress['wrong'] {
  const isBits = (pair: [string, unknown]): pair is [string, number] =>
    typeof pair[1] === 'number' && pair[1] === (pair[1] & 0xff);
  return Object.fromEntries(Object.entries(fieldsOf(value)).filter(isBits).slice(0, MAX_STEPS));
}
