/** The lesson that the learner can continue. */
import { titleOfKey } from '#lessons/catalogue.ts';
import { lastLesson, progressOf, useProgress } from '#store/lesson/progress.ts';

/** Returns the last visited lesson with the label that continues it; null if it is finished. */
export function useContinued(): { readonly key: string; readonly label: string } | null {
  const key = useProgress(({ lessons }) => lastLesson(lessons)?.key ?? null);
  const step = useProgress(({ lessons }) => {
    const progress = key === null ? null : progressOf(lessons, key);
    return progress === null ? -1 : progress.steps.indexOf(progress.at);
  });
  const title = key === null ? null : titleOfKey(key);
  if (key === null || title === null) return null;
  return { key, label: `Continue: ${title}${step < 0 ? '' : `, step ${step + 1}`}` };
}
