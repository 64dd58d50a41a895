/** Loads the text of a lesson by key: built in, a draft, in a link, or on a server. */
import { textOfKey as carriedText } from '#analysis/links/packed.ts';
import { Malformed } from '#bytes/issue.ts';
import { MAX_LESSON, readLesson } from '#lessons/read-lesson.ts';
import { translatedKey } from '#lessons/translation.ts';
import { fetchSource } from '#store/address/source-link.ts';
import { draftText, isDraft } from './kept-lessons.ts';

/** Original lesson of a translation. It has the places and answers; a translation has only text. */
export type Original = { readonly key: string; readonly text: string };

export type LessonText =
  | {
      /** Text of the lesson, in Markdown. */
      readonly text: string;
      /** Original if the lesson is a translation, otherwise null. */
      readonly original: Original | null;
      readonly problem: null;
    }
  /** `problem` says why there is no text: a sentence without a full stop, not escaped. */
  | { readonly text: null; readonly original: null; readonly problem: string };

/** Prefix of the key of a lesson that a link carries. */
export const CARRIED_LESSON = 'md1:';

/** Functions that load the built-in lessons, by path. */
const OWN = import.meta.glob<string>('/src/lessons/texts/*.md', {
  query: '?raw',
  import: 'default',
});

const pathOf = (key: string) => `/src/lessons/texts/${key}.md`;

/** Returns true if the key names a built-in lesson. */
export function isOwnLesson(key: string): boolean {
  return Object.hasOwn(OWN, pathOf(key));
}

/** Loads the lesson of a key, and its original if it is a translation. Never rejects. */
export async function textOfKey(key: string): Promise<LessonText> {
  const { text, problem } = await ownTextOfKey(key);
  if (text === null) return failed(problem);
  const other = translatedKey(text);
  if (other === null) return { text, original: null, problem: null };
  const original = await ownTextOfKey(other);
  if (original.text === null) return failed(original.problem);
  return { text, original: { key: other, text: original.text }, problem: null };
}

/** Loads the original of a draft; null if it is missing or on a server. */
export async function originalOf(key: string): Promise<Original | null> {
  if (isOnServer(key)) return null;
  const { text } = await ownTextOfKey(key);
  return text === null ? null : { key, text };
}

/** Parses a lesson; with `original`, parses a translation of that lesson. */
export function readText(text: string, original: Original | null): ReturnType<typeof readLesson> {
  return readLesson(text, original === null ? null : readLesson(original.text).lesson);
}

type OwnText =
  | { readonly text: string; readonly problem: null }
  | { readonly text: null; readonly problem: string };

/** Loads the text of a key without its original. */
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
  // Limit in bytes: a UTF-16 code unit has at most three bytes in UTF-8.
  if (file.size > 3 * MAX_LESSON) return failed(`${key} is too long for a lesson`);
  return { text: await file.text(), problem: null };
}
