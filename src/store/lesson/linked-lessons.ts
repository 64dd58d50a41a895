/** Lessons that links brought, for the start page; where the browser keeps nothing, lost with the page. */
import { create } from 'zustand';
import { isFramed } from '#store/page/framed.ts';

export type LinkedLesson = {
  /** As behind `lesson=`; of a lesson that the link carries it is the whole text. */
  readonly key: string;
  /** The file that the link named for it, as behind `file=`; empty where it named none. */
  readonly linked: string;
  /** Raw text. */
  readonly title: string;
};

const STORE = 'btfscope-linked-lessons';
/** The one opened longest ago goes first. */
const MAX_LINKED = 12;
/** Characters of all keys and files together: browsers keep about five million of all that a page keeps. */
const MAX_CHARACTERS = 600_000;

/** The one opened last first. */
export const useLinkedLessons = create<{ readonly lessons: readonly LinkedLesson[] }>(() => ({
  lessons: read(),
}));

/** Puts a lesson at the head of the list. */
export function keepLinked(lesson: LinkedLesson): void {
  const { lessons } = useLinkedLessons.getState();
  const all = [lesson, ...lessons.filter(({ key }) => key !== lesson.key)].slice(0, MAX_LINKED);
  let characters = 0;
  write(
    all.filter(({ key, linked }) => {
      characters += key.length + linked.length;
      return characters <= MAX_CHARACTERS;
    }),
  );
}

/** Takes a lesson off the list; null takes all. */
export function forgetLinked(key: string | null): void {
  const { lessons } = useLinkedLessons.getState();
  write(key === null ? [] : lessons.filter((lesson) => lesson.key !== key));
}

function write(lessons: readonly LinkedLesson[]): void {
  useLinkedLessons.setState({ lessons });
  if (isFramed()) return;
  try {
    localStorage.setItem(STORE, JSON.stringify(lessons));
  } catch {
    // Full or forbidden: it holds until the page is closed.
  }
}

function read(): readonly LinkedLesson[] {
  try {
    return readLinked(localStorage.getItem(STORE) ?? '');
  } catch {
    return [];
  }
}

/** What was kept, as far as it is what this page writes. Total. */
export function readLinked(text: string): readonly LinkedLesson[] {
  let data: unknown;
  try {
    data = JSON.parse(text);
  } catch {
    return [];
  }
  const isLesson = (value: unknown): value is LinkedLesson => {
    if (typeof value !== 'object' || value === null) return false;
    const { key, linked, title } = value as Readonly<Record<string, unknown>>;
    return [key, linked, title].every((part) => typeof part === 'string') && key !== '';
  };
  return Array.isArray(data) ? data.filter(isLesson).slice(0, MAX_LINKED) : [];
}
