/** Drafts and lessons from links. Without browser storage they last until the page closes. */

import { create } from 'zustand';
import { fieldsOf, itemsOf, kept } from '#store/kept/local-storage.ts';

const PREFIX = 'draft:';
const MAX_DRAFTS = 20;

/** Texts of the drafts by key, newest last. */
type Drafts = ReadonlyMap<string, string>;

const keptDrafts = kept<Drafts>('btfscope-drafts', {
  parse: (json) => new Map(itemsOf(json).filter(isDraftEntry)),
  format: (drafts) => [...drafts],
});

function isDraftEntry(entry: unknown): entry is [key: string, text: string] {
  const [key, text] = itemsOf(entry);
  return typeof key === 'string' && typeof text === 'string';
}

/** Stored drafts, or the drafts of this page visit if the browser has no storage. */
export const useDrafts = create<{ readonly drafts: Drafts }>(() => ({ drafts: keptDrafts.read() }));

export function isDraft(key: string): boolean {
  return key.startsWith(PREFIX);
}

export function draftText(key: string): string | null {
  return all().get(key) ?? null;
}

/** Returns the title in the front matter of a draft. */
export function draftTitle(text: string): string {
  return /^title:[ \t]*(.+?)[ \t]*$/m.exec(text)?.[1] ?? 'without a title';
}

export function newDraftKey(): string {
  for (let n = 1; ; n++) if (!all().has(PREFIX + n)) return PREFIX + n;
}

/** Stores a draft and drops the oldest above the limit. Returns false if the storage fails. */
export function keepDraft(key: string, text: string): boolean {
  const next = new Map(all());
  next.delete(key);
  next.set(key, text);
  const [oldest] = next.keys();
  if (next.size > MAX_DRAFTS && oldest !== undefined) next.delete(oldest);
  return writeDrafts(next);
}

export function forgetDraft(key: string): void {
  const next = new Map(all());
  next.delete(key);
  writeDrafts(next);
}

function all(): Drafts {
  return useDrafts.getState().drafts;
}

function writeDrafts(drafts: Drafts): boolean {
  useDrafts.setState({ drafts });
  return keptDrafts.write(drafts);
}

type LinkedLesson = {
  /** Value of `lesson=` in addresses. For a lesson in a link it contains the text. */
  readonly key: string;
  /** Key of the lesson's file in the link; empty if the link has none. */
  readonly linked: string;
  /** Title of the lesson, not escaped. */
  readonly title: string;
};

/** Limit of lessons in the list; above it a new lesson replaces the least recent. */
const MAX_LINKED = 12;
/** Limit for all keys together, in characters; browsers store about five million per page. */
const MAX_CHARACTERS = 600_000;

export const keptLinked = kept<readonly LinkedLesson[]>('btfscope-linked-lessons', {
  parse: (json) => itemsOf(json).filter(isLesson).slice(0, MAX_LINKED),
});

function isLesson(json: unknown): json is LinkedLesson {
  const { key, linked, title } = fieldsOf(json);
  return [key, linked, title].every((part) => typeof part === 'string') && key !== '';
}

/** Lessons that came in links, most recent first; the start page lists them. */
export const useLinkedLessons = create<{ readonly lessons: readonly LinkedLesson[] }>(() => ({
  lessons: keptLinked.read(),
}));

/** Adds a lesson as the most recent one of the list. */
export function keepLinked(lesson: LinkedLesson): void {
  const { lessons } = useLinkedLessons.getState();
  const all = [lesson, ...lessons.filter(({ key }) => key !== lesson.key)].slice(0, MAX_LINKED);
  let characters = 0;
  writeLinked(
    all.filter(({ key, linked }) => {
      characters += key.length + linked.length;
      return characters <= MAX_CHARACTERS;
    }),
  );
}

/** Removes a lesson from the list; null removes all lessons. */
export function forgetLinked(key: string | null): void {
  const { lessons } = useLinkedLessons.getState();
  writeLinked(key === null ? [] : lessons.filter((lesson) => lesson.key !== key));
}

function writeLinked(lessons: readonly LinkedLesson[]): void {
  useLinkedLessons.setState({ lessons });
  keptLinked.write(lessons);
}
