/** Loads the text of a lesson by its key: from the page, a draft, a link or a server. */
import { textOfKey as carriedText } from '#analysis/links/packed.ts';
import { Malformed } from '#bytes/issue.ts';
import { MAX_LESSON, readLesson } from '#lessons/read-lesson.ts';
import { translatedKey } from '#lessons/translation.ts';
import { fetchSource } from '#store/address/source-link.ts';
import { draftText, isDraft } from './kept-lessons.ts';

/** The original of a translation: the source of places and answers. */
export type Original = { readonly key: string; readonly text: string };

export type LessonText =
  | {
      /** The Markdown. */
      readonly text: string;
      /** null if the lesson is no translation. */
      readonly original: Original | null;
      readonly problem: null;
    }
  /** `problem` is a sentence without a full stop, raw text. */
  | { readonly text: null; readonly original: null; readonly problem: string };

/** Prefix of the key of a lesson in a link. */
export const CARRIED_LESSON = 'md1:';

/** Loaders of the page's lessons. */
const OWN = import.meta.glob<string>('/src/lessons/texts/*.md', {
  query: '?raw',
  import: 'default',
});

const pathOf = (key: string) => `/src/lessons/texts/${key}.md`;

/** Returns whether the page has the lesson of a key. */
export function isOwnLesson(key: string): boolean {
  return Object.hasOwn(OWN, pathOf(key));
}

/** Loads the lesson of a key, and the original of a translation. Never rejects. */
export async function textOfKey(key: string): Promise<LessonText> {
  const { text, problem } = await ownTextOfKey(key);
  if (text === null) return failed(problem);
  const other = translatedKey(text);
  if (other === null) return { text, original: null, problem: null };
  const original = await ownTextOfKey(other);
  if (original.text === null) return failed(original.problem);
  return { text, original: { key: other, text: original.text }, problem: null };
}

/** Loads the original of a draft; null if the original is missing or on a server. */
export async function originalOf(key: string): Promise<Original | null> {
  if (isOnServer(key)) return null;
  const { text } = await ownTextOfKey(key);
  return text === null ? null : { key, text };
}

/** Reads a lesson, or a translation of `original`. */
export function readText(text: string, original: Original | null): ReturnType<typeof readLesson> {
  return readLesson(text, original === null ? null : readLesson(original.text).lesson);
}

type OwnText =
  | { readonly text: string; readonly problem: null }
  | { readonly text: null; readonly problem: string };

/** Loads the text of a key, without an original. */
async function ownTextOfKey(key: string): Promise<OwnText> {
  const load = OWN[pathOf(key)];
  if (load !== undefined) return await ownText(key, load);
  if (isDraft(key)) return draftOf(key);
  if (key.startsWith(CARRIED_LESSON)) return await fromLink(key);
  if (isOnServer(key)) return await fromServer(key);
  return failed(`There is no lesson ${key}`);
}

const isOnServer = (key: string) => /\.(md|markdown)$/i.test(key);

const failed = (problem: string) => ({ text: null, original: null, problem });

async function ownText(key: string, load: () => Promise<string>): Promise<OwnText> {
  try {
    return { text: await load(), problem: null };
  } catch {
    return failed(`The lesson ${key} could not be fetched`);
  }
}

function draftOf(key: string): OwnText {
  const text = draftText(key);
  return text === null ? failed('This browser has no such draft') : { text, problem: null };
}

async function fromLink(key: string): Promise<OwnText> {
  try {
    return { text: await carriedText(CARRIED_LESSON, key), problem: null };
  } catch (error) {
    if (!(error instanceof Malformed)) throw error;
    return failed(error.issue.message);
  }
}

async function fromServer(key: string): Promise<OwnText> {
  const { file, problem } = await fetchSource(key);
  if (file === null) return failed(problem);
  // A character of UTF-16 has at most three bytes of UTF-8.
  if (file.size > 3 * MAX_LESSON) return failed(`${key} is too long for a lesson`);
  return { text: await file.text(), problem: null };
}
