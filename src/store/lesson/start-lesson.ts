/** First part of the lesson code, in the page's first script; it loads the player on demand. */
import { isLessonText } from '#lessons/compose.ts';
import { formatAddress, parseAddress } from '#store/address/address.ts';
import { followAddress } from '#store/address/follow-link.ts';
import { extendPage } from '#store/address/page-extension.ts';
import { openFiles } from '#store/session/files.ts';
import { announce } from '#store/session/session.ts';
import type { LessonOptions } from './lesson-player.ts';
import { beginMove, CLOSED, going, lessonPlace, useLesson, watchLesson } from './lesson-state.ts';
import { showPart } from './presenter.ts';

const player = () => import('./lesson-player.ts');
const editor = () => import('./edit-lesson.ts');

export async function startLesson(key: string, options: LessonOptions = {}): Promise<void> {
  try {
    await (await player()).openLesson(key, null, options);
  } catch {
    announce("Couldn't load the lesson");
  }
}

async function openDropped(file: File): Promise<void> {
  try {
    await (await editor()).openDropped(file);
  } catch {
    announce("Couldn't open the lesson");
  }
}

/** Opens a draft in the editor; for null, opens a new draft about the active file. */
export async function startWriting(draft: string | null): Promise<void> {
  try {
    const { continueDraft, writeNewLesson } = await editor();
    await (draft === null ? writeNewLesson() : continueDraft(draft));
  } catch {
    announce("Couldn't load the lesson editor");
  }
}

/** Registers lessons with the page: in addresses, for the keys [ and ], and for dropped files. */
export function registerLessons(): void {
  extendPage({
    place: () => lessonPlace(useLesson.getState()),
    isBusy: () => useLesson.getState().isGoing,
    follow: followPlace,
    watch: watchLesson,
    step: stepLesson,
    openFiles: openLessonsAndFiles,
  });
}

/** Follows an address, and closes the lesson if the address has none. Adds a code of `class=`. */
export async function followPlace(given: string): Promise<void> {
  const code = /[?&]class=(BTF[12]-[A-Z2-7]+0?)/i.exec(given)?.[1];
  if (code !== undefined) await joinClass(code);
  const hash = code === undefined ? given : '#/';
  if (parseAddress(hash).lesson === '') {
    const isLatest = beginMove();
    // `isGoing` keeps the address unchanged, so that closing and moving make one history entry.
    useLesson.setState({ ...CLOSED, isGoing: true });
    await going(isLatest, () => followAddress(hash));
    return;
  }
  const { followLesson } = await player();
  await followLesson(hash);
}

/** Adds a learner's code to the class in this browser and opens the class page. */
async function joinClass(code: string): Promise<void> {
  try {
    const { addCodes, codeFaults } = await import('./class.ts');
    if (addCodes(code) < 0) announce(codeFaults(code).join(' '));
    showPart('class');
  } catch {
    announce("Couldn't load the class");
  }
}

/** Number of bytes at the start of a file that are searched for the mark of a lesson. */
const HEAD = 64;

/** Opens dropped files; objects before lessons, since a lesson may be about a dropped object. */
async function openLessonsAndFiles(files: readonly File[]): Promise<void> {
  const heads = await Promise.all(files.map(headOf));
  const lessons = files.filter((_, i) => isLessonText(heads[i] ?? ''));
  await openFiles(files.filter((file) => !lessons.includes(file)));
  const last = lessons.at(-1);
  if (last === undefined) return;
  if (lessons.length > 1) announce('One lesson is shown at a time: the last one');
  await openDropped(last);
}

async function headOf(file: File): Promise<string> {
  try {
    return await file.slice(0, HEAD).text();
  } catch {
    // An unreadable file counts as no lesson; `openFiles` then reports it.
    return '';
  }
}

/** Goes to the next or previous step. Returns false if no lesson is open. */
function stepLesson(by: 1 | -1): boolean {
  if (useLesson.getState().open === null) return false;
  void player().then(({ goToNext, goToPrevious }) => (by === 1 ? goToNext() : goToPrevious()));
  return true;
}

/** Returns the hash for a URL with `?lesson=btf-header&at=the-magic`; null without `lesson=`. */
export function hashOfSearch(search: string, hash: string): string | null {
  const given = new URLSearchParams(search);
  const address = parseAddress(hash);
  if (!given.has('lesson') || address.lesson !== '') return null;
  const text = (key: string) => given.get(key) ?? '';
  const { file, name } = address;
  return formatAddress({
    ...address,
    ...{ lesson: text('lesson'), at: address.at || text('at') },
    ...{ file: file || text('file'), name: name || text('name') },
  });
}
