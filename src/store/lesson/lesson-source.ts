/** Where the text of a lesson comes from: its key says it. */
import { textOfKey as carriedText } from '#analysis/links/carried-text.ts';
import { Malformed } from '#bytes/issue.ts';
import { MAX_LESSON } from '#lessons/read-lesson.ts';
import { translatedKey, translateLesson } from '#lessons/translation.ts';
import { announce } from '#store/session.ts';
import { fetchSource } from '#store/source-link.ts';
import { draftText, isDraft } from './drafts.ts';

export type LessonText =
  | { readonly text: string; readonly problem: null }
  /** Why it cannot be had: a sentence without a full stop, raw text. */
  | { readonly text: null; readonly problem: string };

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

/** The Markdown of the lesson of this key, a translation with what it shares with its original. Never rejects. */
export async function textOfKey(key: string): Promise<LessonText> {
  const found = await ownTextOfKey(key);
  if (found.text === null) return found;
  const other = translatedKey(found.text);
  if (other === null) return found;
  const original = await ownTextOfKey(other);
  if (original.text === null) return original;
  const { text, problems } = translateLesson(original.text, found.text);
  const [first] = problems;
  if (first !== undefined) announce(`Line ${first.line} of the translation: ${first.message}`);
  return { text, problem: null };
}

/** As it stands where it is kept. */
async function ownTextOfKey(key: string): Promise<LessonText> {
  const load = OWN[pathOf(key)];
  if (load !== undefined) return await ownText(key, load);
  if (isDraft(key)) return draftOf(key);
  if (key.startsWith(CARRIED_LESSON)) return await fromLink(key);
  if (/\.(md|markdown)$/i.test(key)) return await fromServer(key);
  return failed(`There is no lesson ${key}`);
}

const failed = (problem: string): LessonText => ({ text: null, problem });

async function ownText(key: string, load: () => Promise<string>): Promise<LessonText> {
  try {
    return { text: await load(), problem: null };
  } catch {
    return failed(`The lesson ${key} could not be fetched`);
  }
}

function draftOf(key: string): LessonText {
  const text = draftText(key);
  return text === null ? failed('This browser has no such draft') : { text, problem: null };
}

async function fromLink(key: string): Promise<LessonText> {
  try {
    return { text: await carriedText(CARRIED_LESSON, key), problem: null };
  } catch (error) {
    if (!(error instanceof Malformed)) throw error;
    return failed(error.issue.message);
  }
}

async function fromServer(key: string): Promise<LessonText> {
  const { file, problem } = await fetchSource(key);
  if (file === null) return failed(problem);
  // A byte of UTF-8 is a third of a character at least.
  if (file.size > 3 * MAX_LESSON) return failed(`${key} is too long for a lesson`);
  return { text: await file.text(), problem: null };
}
