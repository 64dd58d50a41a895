/** Places of a lesson that the open files do not have. */
import type { LessonProblem, PlaceText, Step } from '#lessons/lesson.ts';
import type { ObjectModel } from '#model/object-model.ts';
import { parseAddress } from '#store/location.ts';
import { resolveSelection } from '#store/selection-keys.ts';
import { type Session, session } from '#store/session.ts';
import type { OpenLesson } from './lesson-state.ts';
import { fileOfKey, placeOfStep } from './step-place.ts';

/** In the order of the steps, each at the line of its step. Of files that are not open nothing is said. */
export function placeProblems(
  open: OpenLesson,
  state: Session = session.getState(),
): LessonProblem[] {
  return (open.lesson?.steps ?? []).flatMap((step, index) => {
    const { file: key, hash } = placeOfStep(open, index);
    const file = fileOfKey(state, key);
    if (file?.status.step !== 'ready') return [];
    const { model } = file.status;
    const shown = step.show === null ? [] : [hash];
    return [...shown, ...placesOf(step).map((place) => `#/bytes?${place}`)].flatMap((address) => {
      const problem = problemOf(model, address);
      return problem === null ? [] : [{ message: problem, line: step.line, column: 1 }];
    });
  });
}

function placesOf({ callouts, question }: Step): PlaceText[] {
  const pinned = callouts.map(({ at }) => at);
  switch (question?.kind) {
    case 'click':
      return [...pinned, question.at];
    case 'value':
      return [...pinned, question.core];
    case 'access':
      return [...pinned, `type=${question.root}`];
    default:
      return pinned;
  }
}

function problemOf(model: ObjectModel, address: string): string | null {
  const { params } = parseAddress(address);
  return params.size === 0 ? null : resolveSelection(model, params).problem;
}
