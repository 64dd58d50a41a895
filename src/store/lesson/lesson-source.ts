/** Where the text of a lesson comes from: its key says it. */
import { textOfKey as carriedText } from '#analysis/links/carried-text.ts';
import { Malformed } from '#bytes/issue.ts';
import { MAX_LESSON, readLesson } from '#lessons/read-lesson.ts';
import { translatedKey } from '#lessons/translation.ts';
import { fetchSource } from '#store/address/source-link.ts';
import { draftText, isDraft } from './drafts.ts';

/** The lesson that a translation takes its places and answers from. */
export type Original = { readonly key: string; readonly text: string };

export type LessonText =
  | {
      /** As its author writes it. */
      readonly text: string;
      /** Of a translation. */
      readonly original: Original | null;
      readonly problem: null;
    }
  /** Why it cannot be had: a sentence without a full stop, raw text. */
  | { readonly text: null; readonly original: null; readonly problem: string };

/** Begins the key of a lesson that a link carries. */
export const CARRIED_LESSON = 'md1:';

/** Our own texts, each a part of the program that is fetched when it is asked for. */
const OWN = import.meta.glob<string>('/src/lessons/texts/*.md', {
  query: '?raw',
  import: 'default',
});

const pathOf = (key: string) => `/src/lessons/texts/${key}.md`;

/** Does the lesson of this key come with the page? */
export function isOwnLesson(key: string): boolean {
  return Object.hasOwn(OWN, pathOf(key));
}

/** The Markdown of the lesson of this key, and of its original where it is a translation. Never rejects. */
export async function textOfKey(key: string): Promise<LessonText> {
  const { text, problem } = await ownTextOfKey(key);
  if (text === null) return failed(problem);
  const other = translatedKey(text);
  if (other === null) return { text, original: null, problem: null };
  const original = await ownTextOfKey(other);
  if (original.text === null) return failed(original.problem);
  return { text, original: { key: other, text: original.text }, problem: null };
}

/** The original of a translation that is being written; null where it cannot be had without asking the server. */
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

/** As it stands where it is kept. */
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
  // A byte of UTF-8 is a third of a character at least.
  if (file.size > 3 * MAX_LESSON) return failed(`${key} is too long for a lesson`);
  return { text: await file.text(), problem: null };
}
