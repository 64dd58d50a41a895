/** Has the person gone elsewhere in the tool than where the step is? */
import { type OpenLesson, useLesson } from '#store/lesson/lesson-state.ts';
import { isElsewhere, placeOfStep } from '#store/lesson/step-place.ts';
import { useSession } from '#store/session.ts';

/** False while the tool is on its way. Draws again when it changes. */
export function useIsAway(open: OpenLesson): boolean {
  const isGoing = useLesson((state) => state.isGoing);
  const isAway = useSession((state) => isElsewhere(state, placeOfStep(open, open.stepIndex)));
  return isAway && !isGoing;
}
