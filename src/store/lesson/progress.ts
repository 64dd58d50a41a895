/** Progress in each lesson, kept in the browser; where it keeps nothing, lost with the page. */

import { create } from 'zustand';
import { fnv1a } from '#analysis/links/fnv.ts';
import { isFramed } from '#store/framed.ts';

/** How far in one lesson. Steps are named by their ids, which outlast a change of their number. */
export type LessonProgress = {
  /** The step that was looked at last. */
  readonly at: string;
  /** Steps whose question was answered. */
  readonly done: readonly string[];
  /** Has somebody been at the last step, and are all questions answered? */
  readonly isFinished: boolean;
  /** Milliseconds since 1970. */
  readonly seenAt: number;
};

type Kept = Readonly<Record<string, LessonProgress>>;

const STORE = 'btfscope-lessons';
/** Lessons that are kept; those seen longest ago go first. */
const MAX_LESSONS = 60;
/** A key that carries its lesson is as long as the lesson; a hash stands for it. */
const MAX_KEY = 200;
const LONG = 'long:';
const MAX_STEPS = 200;

export const useProgress = create<{ readonly lessons: Kept }>(() => ({ lessons: read() }));

const NOTHING: LessonProgress = { at: '', done: [], isFinished: false, seenAt: 0 };

/** How far in the lesson of this key; null before it was opened for the first time. */
export function progressOf(lessons: Kept, key: string): LessonProgress | null {
  const name = nameOf(key);
  return Object.hasOwn(lessons, name) ? (lessons[name] ?? null) : null;
}

/** Notes something about the lesson of this key. */
export function noteProgress(key: string, patch: Partial<Omit<LessonProgress, 'seenAt'>>): void {
  const { lessons } = useProgress.getState();
  const before = progressOf(lessons, key) ?? NOTHING;
  const entry = { ...before, ...patch, seenAt: Date.now() };
  const all = Object.entries({ ...lessons, [nameOf(key)]: entry })
    .toSorted(([, a], [, b]) => b.seenAt - a.seenAt)
    .slice(0, MAX_LESSONS);
  const next = Object.fromEntries(all);
  useProgress.setState({ lessons: next });
  if (isFramed()) return;
  try {
    localStorage.setItem(STORE, JSON.stringify(next));
  } catch {
    // Full or forbidden: it holds until the page is closed.
  }
}

/** The lesson that was looked at last, unless it is finished or came in a link; null where there is none. */
export function lastLesson(lessons: Kept): { key: string; progress: LessonProgress } | null {
  const [last] = Object.entries(lessons)
    .filter(([key]) => !key.startsWith(LONG))
    .toSorted(([, a], [, b]) => b.seenAt - a.seenAt);
  if (last === undefined || last[1].isFinished) return null;
  return { key: last[0], progress: last[1] };
}

/** The name under which a lesson is kept: its key, or for a long one what tells it from others. */
function nameOf(key: string): string {
  if (key.length <= MAX_KEY) return key;
  return `${LONG}${fnv1a(new TextEncoder().encode(key)).toString(16)}`;
}

function read(): Kept {
  try {
    return readKept(localStorage.getItem(STORE) ?? '');
  } catch {
    return {};
  }
}

/** What was kept, as far as it is what this page writes. Total. */
export function readKept(text: string): Kept {
  let data: unknown;
  try {
    data = JSON.parse(text);
  } catch {
    return {};
  }
  if (typeof data !== 'object' || data === null) return {};
  const entries = Object.entries(data).flatMap(([key, value]): [string, LessonProgress][] => {
    const entry = readEntry(value);
    return entry === null ? [] : [[key, entry]];
  });
  return Object.fromEntries(entries.slice(0, MAX_LESSONS));
}

function readEntry(value: unknown): LessonProgress | null {
  if (typeof value !== 'object' || value === null) return null;
  const { at, done, isFinished, seenAt } = value as Readonly<Record<string, unknown>>;
  if (typeof at !== 'string' || typeof seenAt !== 'number' || !Array.isArray(done)) return null;
  const ids = done.filter((id): id is string => typeof id === 'string').slice(0, MAX_STEPS);
  return { at, done: ids, isFinished: isFinished === true, seenAt };
}
