/** The ways into lessons for the first script: what plays them is fetched when the first one is opened. */
import { followAddress } from '#store/follow-link.ts';
import { parseAddress } from '#store/location.ts';
import { extendAddress } from '#store/navigation.ts';
import { announce } from '#store/session.ts';
import { closeLesson, lessonPlace, useLesson, watchLesson } from './lesson-state.ts';

const player = () => import('./lesson-player.ts');
const editor = () => import('./edit-lesson.ts');

/** Opens the lesson of this key where the person was in it. */
export async function startLesson(key: string): Promise<void> {
  try {
    await (await player()).openLesson(key, null);
  } catch {
    announce('The lesson could not be loaded');
  }
}

/** Opens a lesson that was dropped. */
export async function openDropped(file: File): Promise<void> {
  try {
    await (await editor()).openDropped(file);
  } catch {
    announce('The lesson could not be opened');
  }
}

/** Begins a lesson about the file that is looked at, or goes on with a draft. */
export async function startWriting(draft: string | null): Promise<void> {
  try {
    const { continueDraft, writeNewLesson } = await editor();
    await (draft === null ? writeNewLesson() : continueDraft(draft));
  } catch {
    announce('What writes lessons could not be loaded');
  }
}

/** Lets the address name the step of the lesson that is open. */
export function registerLessons(): void {
  extendAddress({
    place: () => lessonPlace(useLesson.getState()),
    isBusy: () => useLesson.getState().isGoing,
    follow: followPlace,
    watch: watchLesson,
  });
}

/** Goes to an address, which may name a step of a lesson. One that names none closes the lesson. */
export async function followPlace(hash: string): Promise<void> {
  if (parseAddress(hash).lesson === '') {
    if (useLesson.getState().open !== null) closeLesson();
    await followAddress(hash);
    return;
  }
  const { followLesson } = await player();
  await followLesson(hash);
}

/** Steps on or back by a key; false where no lesson is open. */
export function stepLesson(by: 1 | -1): boolean {
  if (useLesson.getState().open === null) return false;
  void player().then(({ goToNext, goToPrevious }) => (by === 1 ? goToNext() : goToPrevious()));
  return true;
}

/** What stands behind `#` where a lesson is named before it: `?lesson=btf-header&at=the-magic`; null for all else. */
export function hashOfSearch(search: string, hash: string): string | null {
  const given = new URLSearchParams(search);
  if (!given.has('lesson') || parseAddress(hash).lesson !== '') return null;
  const kept = ['lesson', 'at', 'file', 'name'].flatMap((key) => {
    const value = given.get(key);
    return value === null ? [] : [`${key}=${encodeURIComponent(value)}`];
  });
  const [path = '', query = ''] = hash.replace(/^#?\/?/, '').split('?');
  return `#/${path}?${[...kept, query].filter((part) => part !== '').join('&')}`;
}
