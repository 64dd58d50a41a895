/** Progress in the measure in which a person sees it: work in small pieces tells of each, and each would draw the page anew. */
import type { Progress } from '#bytes/progress.ts';

/** Twenty times a second tells as much as a bar can. */
const PAUSE_MS = 50;

/** Hands `tell` the first progress of each step, and of later ones those that come `PAUSE_MS` after the last. */
export function rareProgress(
  tell: (progress: Progress) => void,
  now: () => number = () => performance.now(),
): (progress: Progress) => void {
  let step = '';
  let told = Number.NEGATIVE_INFINITY;
  return (progress) => {
    const at = now();
    if (progress.step === step && at - told < PAUSE_MS) return;
    step = progress.step;
    told = at;
    tell(progress);
  };
}
