/** Lessons with titles for the tally of a class: of the page, drafts, and from links. */
import { CATALOGUE } from '#lessons/catalogue.ts';
import type { KnownLesson } from '#lessons/class-tally.ts';
import { lessonFingerprint } from '#lessons/progress-code.ts';
import { useDrafts } from './drafts.ts';
import { CARRIED_LESSON, readText, textOfKey } from './lesson-source.ts';
import { useLinkedLessons } from './linked-lessons.ts';

/** Reads all lessons. Lessons with errors are left out. */
export async function knownLessons(): Promise<readonly KnownLesson[]> {
  const linked = useLinkedLessons.getState().lessons.map(({ key }) => key);
  const keys = [
    ...CATALOGUE.map(({ id }) => id),
    ...useDrafts.getState().drafts.keys(),
    // A lesson on a server would need a request.
    ...linked.filter((key) => key.startsWith(CARRIED_LESSON)),
  ];
  const texts = await Promise.all(keys.map(textOfKey));
  return texts.flatMap(({ text, original }) => {
    const lesson = text === null ? null : readText(text, original).lesson;
    if (lesson === null) return [];
    const { title, steps } = lesson;
    return [
      {
        fingerprint: lessonFingerprint(
          title,
          steps.map(({ id }) => id),
        ),
        title,
        steps: steps.map((step) => ({ title: step.title, isAsked: step.question !== null })),
      },
    ];
  });
}
