/** Lessons that links brought, for the start page; where the browser keeps nothing, lost with the page. */
import { create } from 'zustand';
import { fieldsOf, itemsOf, kept } from '#store/kept/kept.ts';

export type LinkedLesson = {
  /** As behind `lesson=`; of a lesson that the link carries it is the whole text. */
  readonly key: string;
  /** The file that the link named for it, as behind `file=`; empty where it named none. */
  readonly linked: string;
  /** Raw text. */
  readonly title: string;
};

/** The one opened longest ago goes first. */
const MAX_LINKED = 12;
/** Characters of all keys and files together: browsers keep about five million of all that a page keeps. */
const MAX_CHARACTERS = 600_000;

export const keptLinked = kept<readonly LinkedLesson[]>('btfscope-linked-lessons', {
  parse: (json) => itemsOf(json).filter(isLesson).slice(0, MAX_LINKED),
});

function isLesson(json: unknown): json is LinkedLesson {
  const { key, linked, title } = fieldsOf(json);
  return [key, linked, title].every((part) => typeof part === 'string') && key !== '';
}

/** The one opened last first. */
export const useLinkedLessons = create<{ readonly lessons: readonly LinkedLesson[] }>(() => ({
  lessons: keptLinked.read(),
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
  keptLinked.write(lessons);
}
