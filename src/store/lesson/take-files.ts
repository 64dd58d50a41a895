/** Files that somebody drops or chooses: lessons are opened as such, all others as files. */
import { isLessonText } from '#lessons/compose.ts';
import { openFiles } from '#store/files.ts';
import { announce } from '#store/session.ts';
import { openDropped } from './start-lesson.ts';

/** Characters that tell a lesson from everything else. */
const HEAD = 64;

/** Opens them, objects before lessons: a lesson may be about what was dropped with it. */
export async function takeFiles(files: readonly File[]): Promise<void> {
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
    // It cannot be read: opening it says so.
    return '';
  }
}
