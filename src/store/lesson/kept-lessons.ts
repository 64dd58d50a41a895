/** Drafts and lessons from links in the browser's storage; without storage, until the page closes. */

import { create } from 'zustand';
import { fieldsOf, itemsOf, kept } from '#store/kept/local-storage.ts';

const PREFIX = 'draft:';
const MAX_DRAFTS = 20;

/** Texts by key, newest last. */
type Drafts = ReadonlyMap<string, string>;

const keptDrafts = kept<Drafts>('btfscope-drafts', {
  parse: (json) => new Map(itemsOf(json).filter(isDraftEntry)),
  format: (drafts) => [...drafts],
});

function isDraftEntry(entry: unknown): entry is [key: string, text: string] {
  const [key, text] = itemsOf(entry);
  return typeof key === 'string' && typeof text === 'string';
}

/** The stored drafts, and those of this page if the browser has no storage. */
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

/** Stores a draft; the oldest of too many is removed. Returns false if the browser did not store the draft. */
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

/** Lessons from links for the start page, most recent first. */
export const useLinkedLessons = create<{ readonly lessons: readonly LinkedLesson[] }>(() => ({
  lessons: keptLinked.read(),
}));

/** Adds a lesson at the start of the list. */
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

/** Removes a lesson; null removes all. */
export function forgetLinked(key: string | null): void {
  const { lessons } = useLinkedLessons.getState();
  writeLinked(key === null ? [] : lessons.filter((lesson) => lesson.key !== key));
}

function writeLinked(lessons: readonly LinkedLesson[]): void {
  useLinkedLessons.setState({ lessons });
  keptLinked.write(lessons);
}
