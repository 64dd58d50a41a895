/** State of the open lesson: its text, current step and answer. */
import { create } from 'zustand';
import type { Answer } from '#lessons/check-answer.ts';
import type { Lesson, LessonProblem, Step } from '#lessons/lesson.ts';
import type { LessonPlace } from '#store/address/address.ts';

export type OpenLesson = {
  /** Value of `lesson=`: id of a built-in lesson, `md1:…` for a link, or a path on the server. */
  readonly key: string;
  /** Text in Markdown. It changes while an author edits the lesson. */
  readonly text: string;
  /** Original if the lesson is a translation and its original is loaded; otherwise null. */
  readonly original: { readonly key: string; readonly text: string } | null;
  /** Parsed lesson; null if the text has no step. */
  readonly lesson: Lesson | null;
  readonly problems: readonly LessonProblem[];
  /** Key of the lesson's file if its object is `link` or `own`; otherwise empty. */
  readonly linked: string;
  /** Index of the current step, from 0. */
  readonly stepIndex: number;
  /** Result of the last answer in the current step; null before the first answer. */
  readonly answer: Answer | null;
  /** Number of wrong answers in the current step. */
  readonly misses: number;
  /** Why the step's place is not shown: a sentence without a full stop, not escaped. Else null. */
  readonly placeProblem: string | null;
};

export type LessonState = {
  readonly open: OpenLesson | null;
  /** Why the lesson of the address did not open: a sentence, not escaped. Else null. */
  readonly problem: string | null;
  /** True while the page opens the place of a step; selections are not answers then. */
  readonly isGoing: boolean;
  /** True while the lesson editor is open. */
  readonly isEditing: boolean;
  /** True during a presentation, which has large text and no bars. */
  readonly isPresenting: boolean;
};

export const CLOSED: LessonState = {
  open: null,
  problem: null,
  isGoing: false,
  isEditing: false,
  isPresenting: false,
};

export const useLesson = create<LessonState>(() => CLOSED);

/** Returns the current step; null if no lesson is open. */
export function stepNow({ open }: Pick<LessonState, 'open'>): Step | null {
  return open?.lesson?.steps[open.stepIndex] ?? null;
}

export function patchLesson(patch: Partial<OpenLesson>): void {
  useLesson.setState(({ open }) => (open === null ? {} : { open: { ...open, ...patch } }));
}

/** Number of the newest move to a step or lesson: a slower, earlier move must not replace it. */
let latest = 0;

/** Begins a move to a lesson or step. The returned function returns false after a later move. */
export function beginMove(): () => boolean {
  const mine = ++latest;
  return () => mine === latest;
}

/** Runs a move. During a move selections are not answers, and the address does not change. */
export async function going(isLatest: () => boolean, move: () => Promise<void>): Promise<void> {
  useLesson.setState({ isGoing: true });
  try {
    await move();
  } finally {
    if (isLatest()) useLesson.setState({ isGoing: false });
  }
}

/** Closes the lesson that is open or loading. View and selection stay. */
export function closeLesson(): void {
  latest++;
  useLesson.setState(CLOSED);
}

export function lessonPlace(state: Pick<LessonState, 'open'>): LessonPlace | null {
  const { open } = state;
  if (open === null) return null;
  return { lesson: open.key, at: stepNow(state)?.id ?? '', linked: open.linked };
}

/** Calls `listener` after each move and step change. Returns a function that removes it. */
export function watchLesson(listener: () => void): () => void {
  return useLesson.subscribe((state, before) => {
    if (state.isGoing) return;
    const now = lessonPlace(state);
    const then = lessonPlace(before);
    const isSame = now?.lesson === then?.lesson && now?.at === then?.at;
    if (!isSame || before.isGoing) listener();
  });
}
