/** Entry points of lessons for the first script; the player loads with the first lesson. */
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

/** Opens a draft in the editor; null opens a new draft about the active file. */
export async function startWriting(draft: string | null): Promise<void> {
  try {
    const { continueDraft, writeNewLesson } = await editor();
    await (draft === null ? writeNewLesson() : continueDraft(draft));
  } catch {
    announce("Couldn't load the lesson editor");
  }
}

/** Registers lessons with the page: addresses, the keys [ and ], dropped files. */
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

/** Follows an address. Without a lesson it closes the lesson; `#/?class=BTF1-…` adds a code to the class. */
export async function followPlace(given: string): Promise<void> {
  const code = /[?&]class=(BTF1-[A-Z2-7]+)/i.exec(given)?.[1];
  if (code !== undefined) await joinClass(code);
  const hash = code === undefined ? given : '#/';
  if (parseAddress(hash).lesson === '') {
    const isLatest = beginMove();
    // `isGoing` from the start: the history gets one entry for the new place and the closed lesson.
    useLesson.setState({ ...CLOSED, isGoing: true });
    await going(isLatest, () => followAddress(hash));
    return;
  }
  const { followLesson } = await player();
  await followLesson(hash);
}

/** Adds a learner's code to the class of this browser and opens the class. */
async function joinClass(code: string): Promise<void> {
  try {
    const added = (await import('./class.ts')).addCodes(code);
    if (added < 0) announce('The code in this link cannot be read');
    showPart('class');
  } catch {
    announce("Couldn't load the class");
  }
}

/** Bytes at the start of a file that identify a lesson. */
const HEAD = 64;

/** Opens dropped or chosen files; objects first, because a lesson can be about an object dropped with it. */
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
    // `openFiles` reports unreadable files.
    return '';
  }
}

/** Goes to the next or previous step; false without an open lesson. */
function stepLesson(by: 1 | -1): boolean {
  if (useLesson.getState().open === null) return false;
  void player().then(({ goToNext, goToPrevious }) => (by === 1 ? goToNext() : goToPrevious()));
  return true;
}

/** Returns the hash for a page address with a lesson in its query, `?lesson=btf-header&at=the-magic`; else null. */
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
