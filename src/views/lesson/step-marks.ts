/** What the list of steps says of each. */
import type { Step } from '#lessons/lesson.ts';

/** `here` wins over `answered`; `seen`: a step without a question that lies behind. */
export type StepState = 'here' | 'answered' | 'seen' | 'open';

export type StepMark = { readonly id: string; readonly title: string; readonly state: StepState };

/** The marks of all steps; `done` are the ids of those whose question was answered. */
export function stepMarks(
  steps: readonly Step[],
  stepIndex: number,
  done: readonly string[],
): StepMark[] {
  const answered = new Set(done);
  return steps.map(({ id, title, question }, index) => {
    const isSeen = question === null && index < stepIndex;
    const state =
      index === stepIndex ? 'here' : answered.has(id) ? 'answered' : isSeen ? 'seen' : 'open';
    return { id, title, state };
  });
}
