/** Progress in each lesson, kept in the browser; where it keeps nothing, lost with the page. */

import { create } from 'zustand';
import { fnv1a } from '#analysis/links/fnv.ts';
import { languageOfKey, languagesOf, TRACKS, type Track } from '#lessons/catalogue.ts';
import { fieldsOf, itemsOf, kept } from '#store/kept/kept.ts';

/** How far in one lesson. Steps are named by their ids, which outlast a change of their number. */
export type LessonProgress = {
  /** Raw text; as it was when the lesson was looked at last. */
  readonly title: string;
  /** Ids of all its steps. */
  readonly steps: readonly string[];
  /** The step that was looked at last. */
  readonly at: string;
  /** Steps whose question was answered. */
  readonly done: readonly string[];
  /** What was typed last in a step, or the number of the option that was chosen, from 0; by step. */
  readonly given: Readonly<Record<string, string>>;
  /** The language in which it was looked at last: BCP 47. */
  readonly lang: string;
  /** The track in which the lesson was opened last; null: from the list of all. */
  readonly track: Track | null;
  /** Has somebody been at the last step, and are all questions answered? */
  readonly isFinished: boolean;
  /** Milliseconds since 1970. */
  readonly seenAt: number;
};

export type Kept = Readonly<Record<string, LessonProgress>>;

/** Lessons that are kept; those seen longest ago go first. */
const MAX_LESSONS = 60;
/** A key that carries its lesson is as long as the lesson; a hash stands for it. */
const MAX_KEY = 200;
const LONG = 'long:';
const MAX_STEPS = 200;
/** Characters of an answer that is kept; a longer one is shown until the page is left. */
const MAX_GIVEN = 8000;

/** Before a lesson was opened. It stands before what reads the browser, which takes from here what an older page did not keep. */
const NOTHING: LessonProgress = {
  title: '',
  steps: [],
  at: '',
  done: [],
  given: {},
  lang: 'en',
  track: null,
  isFinished: false,
  seenAt: 0,
};

export const keptProgress = kept<Kept>('btfscope-lessons', { parse: lessonsIn });

export const useProgress = create<{ readonly lessons: Kept }>(() => ({
  lessons: keptProgress.read(),
}));

/** How far in the lesson of this key; null before it was opened for the first time. */
export function progressOf(lessons: Kept, key: string): LessonProgress | null {
  const name = nameOf(key);
  return Object.hasOwn(lessons, name) ? (lessons[name] ?? null) : null;
}

/** Notes something about the lesson of this key. */
export function noteProgress(
  key: string,
  patch: Partial<Omit<LessonProgress, 'lang' | 'seenAt'>>,
): void {
  const { lessons } = useProgress.getState();
  const before = progressOf(lessons, key) ?? NOTHING;
  const { lang } = languageOfKey(key);
  const entry = { ...before, ...patch, lang, seenAt: Date.now() };
  keep({ ...lessons, [nameOf(key)]: entry });
}

/** Keeps what was answered to a step of the lesson of this key. */
export function noteGiven(key: string, step: string, text: string): void {
  if (text.length > MAX_GIVEN) return;
  const { given } = progressOf(useProgress.getState().lessons, key) ?? NOTHING;
  noteProgress(key, { given: { ...given, [step]: text } });
}

/** What was answered to a step before; null where nothing was. */
export function givenOf(key: string, step: string): string | null {
  const { given } = progressOf(useProgress.getState().lessons, key) ?? NOTHING;
  return Object.hasOwn(given, step) ? (given[step] ?? null) : null;
}

/** Forgets the progress in all lessons. */
export function resetProgress(): void {
  keep({});
}

/** The progress in all lessons as a file, which `importProgress` reads. */
export function exportProgress(): string {
  return `${JSON.stringify(useProgress.getState().lessons, null, 1)}\n`;
}

/** Adds the progress of a file; of a lesson that is in both, the one seen last. The number of lessons in the file. */
export function importProgress(text: string): number {
  const read = Object.entries(keptProgress.parse(text));
  const all = new Map(Object.entries(useProgress.getState().lessons));
  for (const [name, entry] of read) {
    if ((all.get(name)?.seenAt ?? -1) < entry.seenAt) all.set(name, entry);
  }
  if (read.length > 0) keep(Object.fromEntries(all));
  return read.length;
}

function keep(all: Kept): void {
  const lessons = Object.fromEntries(newestFirst(all).slice(0, MAX_LESSONS));
  useProgress.setState({ lessons });
  keptProgress.write(lessons);
}

/** The lesson that was looked at last, in the language of then, unless it is finished or came in a link; null where there is none. */
export function lastLesson(lessons: Kept): { key: string; progress: LessonProgress } | null {
  const last = newestFirst(lessons).find(([key]) => !key.startsWith(LONG));
  if (last === undefined || last[1].isFinished) return null;
  const [name, progress] = last;
  const translated = languagesOf(name).find(({ lang }) => lang === progress.lang);
  return { key: translated?.key ?? name, progress };
}

/** The track of the lesson that was looked at last, null where that was in none; `otherwise` before any lesson. */
export function lastTrack(lessons: Kept, otherwise: Track): Track | null {
  const [last] = newestFirst(lessons);
  return last === undefined ? otherwise : last[1].track;
}

/** All lessons, by their names in `lessons`, the one seen last first. */
export function newestFirst(lessons: Kept): [string, LessonProgress][] {
  return Object.entries(lessons).toSorted(([, a], [, b]) => b.seenAt - a.seenAt);
}

/** The name under which a lesson is kept: its key, or for a long one what tells it from others. */
function nameOf(keyOf: string): string {
  const key = languageOfKey(keyOf).id;
  if (key.length <= MAX_KEY) return key;
  return `${LONG}${fnv1a(new TextEncoder().encode(key)).toString(16)}`;
}

/** Returns the progress that JSON has, as far as it is what this page writes. */
function lessonsIn(json: unknown): Kept {
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
    lang: typeof entry.lang === 'string' ? entry.lang : NOTHING.lang,
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
