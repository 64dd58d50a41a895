/** Lessons from links, for the start page, in the browser's storage; without storage, until the page closes. */
import { create } from 'zustand';
import { fieldsOf, itemsOf, kept } from '#store/kept/kept.ts';

export type LinkedLesson = {
  /** Value of `lesson=` in addresses; contains the text of a lesson in a link. */
  readonly key: string;
  /** Value of `file=` in the link; empty if the link has none. */
  readonly linked: string;
  /** Raw text. */
  readonly title: string;
};

/** More lessons replace the least recent. */
const MAX_LINKED = 12;
/** Characters of all keys and files. Browsers store about five million characters per page. */
const MAX_CHARACTERS = 600_000;

export const keptLinked = kept<readonly LinkedLesson[]>('btfscope-linked-lessons', {
  parse: (json) => itemsOf(json).filter(isLesson).slice(0, MAX_LINKED),
});

function isLesson(json: unknown): json is LinkedLesson {
  const { key, linked, title } = fieldsOf(json);
  return [key, linked, title].every((part) => typeof part === 'string') && key !== '';
}

/** Most recent first. */
export const useLinkedLessons = create<{ readonly lessons: readonly LinkedLesson[] }>(() => ({
  lessons: keptLinked.read(),
}));

/** Adds a lesson at the start of the list. */
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

/** Removes a lesson; null removes all. */
export function forgetLinked(key: string | null): void {
  const { lessons } = useLinkedLessons.getState();
  write(key === null ? [] : lessons.filter((lesson) => lesson.key !== key));
}

function write(lessons: readonly LinkedLesson[]): void {
  useLinkedLessons.setState({ lessons });
  keptLinked.write(lessons);
}
